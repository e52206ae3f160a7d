// SPDX-License-Identifier: Apache-2.0
#include "meta/serve/meta_server.h"

#include <algorithm>
#include <boost/json.hpp>

#include "meta/understand/place.h"
#include "meta/understand/query_text.h"
#include "runtime/net/json_text.h"
#include "runtime/net/trace.h"

namespace souk::meta_serve {

namespace asio = boost::asio;
namespace json = boost::json;
using understand::Parameters;

namespace {

// The argument of an error that is not the user's may be an address or a file of ours.
Error for_users(Error error) {
  const bool theirs =
      error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kNotFound || error.code == ErrorCode::kGone;
  if (!theirs) error.argument.clear();
  return error;
}

std::string next_cursor(const understand::Plan& plan, const merge::Hit& last) {
  wire::After after;
  after.set_order(last.order);
  after.set_group(last.group.value());
  after.set_key(last.key.value());
  return understand::next_cursor(plan, after);
}

std::string missing_shard(const fanout::Outcome& outcome) {
  return "shard " + std::to_string(outcome.target.shard) + " is missing: " + outcome.reply.error().message;
}

}  // namespace

struct MetaServer::Query {
  std::string id;
  std::string trace;
  SteadyTime begin;
  Deadline deadline = Deadline::never();
  std::shared_ptr<const understand::Catalogue> catalogue;  // pinned
  Parameters parameters;
  understand::Plan plan;
  std::vector<std::string> stages;
  std::vector<fanout::Outcome> outcomes;  // of the last fan-out
  uint32_t sub_requests = 0;
  merge::Merged merged;
  bool complete = false;
  uint64_t dropped = 0;
  std::string digest;
};

MetaServer::MetaServer(Settings settings, Services services)
    : settings_(std::move(settings)),
      active_(std::move(services.active)),
      all_peers_full_(std::move(services.all_peers_full)),
      transport_(services.transport),
      snippets_(services.snippets),
      clock_(services.clock),
      metrics_(services.metrics),
      access_log_(services.access_log),
      limiter_(settings_.queries),
      random_(settings_.seed) {}

// The balancer's, if it is harmless; else one of our own.
std::string MetaServer::request_id(const net::Request& request) {
  const std::string_view given = request.header("x-request-id");
  const auto harmless = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  };
  if (!given.empty() && given.size() <= 64 && std::ranges::all_of(given, harmless)) return std::string(given);
  return hex16(random_());
}

Status MetaServer::read(Query& query, std::string_view query_string) {
  auto parameters = understand::parse_parameters(query_string);
  if (!parameters) return std::unexpected(parameters.error());
  query.parameters = std::move(*parameters);
  return understand::apply_place(*query.catalogue->market, query.parameters);
}

Status MetaServer::plan(Query& query) {
  auto text = understand::read_query_text(analyzer_, query.parameters.text);
  if (!text) return std::unexpected(text.error());
  if (text->words.empty() && query.parameters.text.find_first_not_of(" \t\r\n") != std::string::npos) {
    query.parameters.warnings.push_back("the text has no words: everything is shown");
  }
  auto plan = understand::make_plan(query.parameters, std::move(*text), *query.catalogue);
  if (!plan) return std::unexpected(plan.error());
  query.plan = std::move(*plan);
  return {};
}

asio::awaitable<Status> MetaServer::gather(Query& query) {
  std::vector<fanout::Target> targets;
  for (const uint32_t shard : query.plan.shards) {
    if (shard > settings_.shard_nodes.size()) {
      co_return fail(ErrorCode::kUnavailable, "the cluster has no node for shard " + std::to_string(shard));
    }
    targets.push_back({shard, settings_.shard_nodes[shard - 1]});
  }
  // Not all the time that is left: a shard that hangs must leave some for the stages after this one.
  const Deadline deadline = Deadline::after(clock_, query.deadline.remaining(clock_) * 3 / 4);
  query.sub_requests += static_cast<uint32_t>(targets.size());
  query.outcomes =
      co_await fanout::fan_out(transport_, clock_, std::move(targets), query.plan.request, deadline, query.trace);
  co_return take_replies(query);
}

Status MetaServer::take_replies(Query& query) {
  std::vector<wire::ShardReply> replies;
  for (fanout::Outcome& outcome : query.outcomes) {
    if (outcome.reply) {
      // Ordinals are looked up in the dictionary: a reply that is wrong there is no reply.
      const Status done = merge::check_ordinals(query.plan.request, *outcome.reply, *query.catalogue->dictionary);
      if (!done) outcome.reply = std::unexpected(done.error());
    }
    const Status status = outcome.reply ? Status{} : Status(std::unexpected(outcome.reply.error()));
    metrics_.sub_requests(status).Increment();
    metrics_.sub_request_seconds.Observe(outcome.took_us / 1e6);
    if (outcome.reply) replies.push_back(*outcome.reply);
  }
  query.complete = replies.size() == query.outcomes.size();
  if (replies.empty() || (settings_.strict && !query.complete)) {
    const auto missing =
        std::ranges::find_if(query.outcomes, [](const fanout::Outcome& outcome) { return !outcome.reply; });
    const Error& error = missing->reply.error();
    // When it is too much for the shards it is too much for the whole query.
    const ErrorCode code = error.code == ErrorCode::kOverloaded || error.code == ErrorCode::kDeadlineExceeded
                               ? error.code
                               : ErrorCode::kUnavailable;
    return fail(code, missing_shard(*missing));
  }
  query.merged = merge::merge(query.plan.request, replies);
  const size_t first = size_t{query.parameters.page - 1} * query.parameters.per_page;
  query.digest = merge::result_digest(query.merged, first, first + query.parameters.per_page);
  return {};
}

json::object MetaServer::frame(const Query& query) const {
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(clock_.now() - query.begin);
  json::array warnings;
  for (const std::string& warning : query.plan.warnings) warnings.emplace_back(warning);
  for (const fanout::Outcome& outcome : query.outcomes) {
    if (outcome.reply) continue;
    warnings.emplace_back(missing_shard(outcome));
  }
  return {{"request_id", query.id},
          {"generation", to_string(query.catalogue->generation)},
          {"complete", query.complete},
          {"coverage", coverage(query.outcomes)},
          {"took_ms", static_cast<double>(took.count()) / 1000},
          {"result_digest", query.digest},
          {"warnings", std::move(warnings)}};
}

asio::awaitable<MetaServer::Documents> MetaServer::fetch(std::vector<snippet::SnippetId> ids, const Query& query) {
  const SteadyTime asked = clock_.now();
  auto documents = co_await snippets_.get(std::move(ids), query.deadline, query.trace);
  metrics_.snippet_seconds.Observe(std::chrono::duration<double>(clock_.now() - asked).count());
  co_return documents;
}

// The page's documents; a hit whose document is gone is dropped and the next takes its place.
asio::awaitable<Status> MetaServer::add_items(Query& query, json::object& answer) {
  const Parameters& parameters = query.parameters;
  const std::vector<merge::Hit>& hits = query.merged.hits;
  const size_t begin = std::min(size_t{parameters.page - 1} * parameters.per_page, hits.size());
  const size_t end = std::min(begin + parameters.per_page + understand::kSpareHits, hits.size());
  std::vector<snippet::SnippetId> ids;
  for (size_t i = begin; i < end; ++i) ids.push_back({hits[i].key, hits[i].version});
  Documents documents;
  if (!ids.empty()) documents = co_await fetch(std::move(ids), query);
  if (!documents) co_return std::unexpected(documents.error());

  AnswerWriter writer(*query.catalogue, query.plan, analyzer_);
  json::array items;
  size_t at = begin;  // the first hit that the page does not need
  for (; at < end && items.size() < parameters.per_page; ++at) {
    const auto& document = (*documents)[at - begin];
    document ? items.push_back(writer.item(hits[at], *document, parameters.debug)) : void(++query.dropped);
  }
  if (query.dropped > 0) {
    answer["warnings"].as_array().emplace_back(std::to_string(query.dropped) +
                                               " hits were dropped: their documents are gone");
  }
  answer["dropped"] = query.dropped;
  answer["items"] = std::move(items);
  answer["facets"] = writer.facets(query.merged.facets);
  // There are more when some are left, and there may be when no more were asked for.
  const bool more = at > begin && (at < hits.size() || hits.size() >= query.plan.request.limit());
  answer["next_cursor"] = more ? json::value(next_cursor(query.plan, hits[at - 1])) : json::value(nullptr);
  co_return Status{};
}

// The stages: words count in the main fields, and when nothing has them there, in the description too.
asio::awaitable<Status> MetaServer::find(Query& query) {
  const bool resumed = query.plan.request.has_after();  // in the stage that found the page before
  query.stages.emplace_back(query.plan.request.with_description() ? "description" : "main");
  Status done = co_await gather(query);
  if (!done) co_return done;
  // Not when a shard is missing: what it has may be all there is, and a later answer of it would be to another
  // question.
  if (resumed || !query.complete || query.merged.total_offers != 0 || query.plan.terms.empty()) co_return done;
  query.stages.emplace_back("description");
  metrics_.second_stages.Increment();
  understand::widen_to_description(query.plan, *query.catalogue);
  done = co_await gather(query);
  co_return done;
}

asio::awaitable<Result<json::object>> MetaServer::search(Query& query) {
  if (Status done = plan(query); !done) co_return std::unexpected(done.error());
  Status done = co_await find(query);
  if (!done) co_return std::unexpected(done.error());
  json::object answer = frame(query);
  json::object asked = understood(query.plan);
  asked["text"] = query.parameters.text;
  if (query.parameters.place) asked["place"] = *query.parameters.place;
  json::array& stages = asked["stages"].emplace_array();
  for (const std::string& stage : query.stages) stages.emplace_back(stage);
  answer["query"] = std::move(asked);
  answer["total"] = total(query.merged, query.complete);
  if (!query.parameters.cursor) answer["page"] = query.parameters.page;
  answer["per_page"] = query.parameters.per_page;
  answer["flags"] = json::object();
  done = co_await add_items(query, answer);
  if (!done) co_return std::unexpected(done.error());
  if (query.parameters.debug) answer["debug"] = json::object{{"shards", timings(query.outcomes)}};
  co_return answer;
}

asio::awaitable<Result<json::object>> MetaServer::offer(Query& query, DocKey key) {
  if (key.type() != KeyType::kOffer) co_return fail(ErrorCode::kNotFound, "not an offer's key", "key");
  query.parameters.group = wire::GROUP_OFFER;
  query.parameters.facets.emplace();
  if (Status done = plan(query); !done) co_return std::unexpected(done.error());
  query.plan.request.mutable_filters()->set_offer(key.value());
  Status done = co_await gather(query);
  if (!done) co_return std::unexpected(done.error());
  if (query.merged.hits.empty()) {
    if (!query.complete) co_return fail(ErrorCode::kUnavailable, "the shard that may hold it does not answer");
    co_return fail(ErrorCode::kGone, "no such offer in generation " + to_string(query.catalogue->generation), "key");
  }
  const merge::Hit& hit = query.merged.hits.front();
  std::vector<snippet::SnippetId> ids{{hit.key, hit.version}};
  auto documents = co_await fetch(std::move(ids), query);
  if (!documents) co_return std::unexpected(documents.error());
  // The shard has the offer, so it is not gone: no snippet server has its document yet, or any more.
  if (!documents->front()) {
    ++query.dropped;
    co_return fail(ErrorCode::kUnavailable, "no snippet server has the offer's document");
  }
  json::object answer{{"request_id", query.id}, {"generation", to_string(query.catalogue->generation)}};
  answer["offer"] = document(hit, *documents->front(), *query.catalogue);
  co_return answer;
}

asio::awaitable<MetaServer::Answer> MetaServer::route(Query& query, const net::Request& request) {
  constexpr std::string_view kOffer = "/offer/";
  if (!query.catalogue) co_return fail(ErrorCode::kUnavailable, "no generation is active yet");
  if (request.path == "/search" || request.path == "/offers") {
    if (Status done = read(query, request.query); !done) co_return std::unexpected(done.error());
    if (request.path == "/offers") {
      if (!query.parameters.model) co_return fail(ErrorCode::kInvalidArgument, "is required", "model");
      query.parameters.group = wire::GROUP_OFFER;
    }
    co_return co_await search(query);
  }
  if (request.path.starts_with(kOffer)) {
    const auto key = parse_key(std::string_view(request.path).substr(kOffer.size()));
    if (!key) co_return fail(ErrorCode::kInvalidArgument, key.error().message, "key");
    co_return co_await offer(query, *key);
  }
  co_return fail(ErrorCode::kNotFound, "no such page", "path");
}

MetaServer::Query MetaServer::begin(const net::Request& request) {
  Query query;
  query.id = request_id(request);
  query.trace = net::next_traceparent(request.header("traceparent"), random_(), random_(), random_());
  query.begin = clock_.now();
  query.deadline = Deadline::after(clock_, settings_.query_deadline);
  query.catalogue = active_();
  return query;
}

// This node is full: the balancer asks one other. When all are, asking on would only make it worse (429 is not
// retried).
net::Response MetaServer::refusal() {
  net::Response response = net::error_response({ErrorCode::kOverloaded, "too many queries at once", {}});
  if (all_peers_full_()) {
    metrics_.throttled.Increment();
    response.status = 429;
  }
  return response;
}

void MetaServer::record(const Query& query, const net::Request& request, const Answer& answer,
                        const net::Response& response) {
  const auto took = clock_.now() - query.begin;
  metrics_.queries(answer ? Status{} : Status(std::unexpected(answer.error()))).Increment();
  if (response.status != 429 && (answer || answer.error().code != ErrorCode::kOverloaded)) {
    metrics_.query_seconds.Observe(std::chrono::duration<double>(took).count());  // of queries that were let in
  }
  metrics_.dropped_hits.Increment(static_cast<double>(query.dropped));
  if (answer && !query.complete) metrics_.incomplete.Increment();
  obs::AccessEntry entry{.request_id = query.id,
                         .trace = query.trace,
                         .node = settings_.node,
                         .path = request.path,
                         .query = request.query,
                         .status = response.status,
                         .error = answer ? std::string() : std::string(traits(answer.error().code).label),
                         .took_us = std::chrono::duration_cast<std::chrono::microseconds>(took).count(),
                         .generation = {},
                         .complete = query.complete,
                         .models = query.merged.total_models,
                         .offers = query.merged.total_offers,
                         .dropped = query.dropped,
                         .sub_requests = query.sub_requests,
                         .digest = query.digest};
  if (query.catalogue) entry.generation = to_string(query.catalogue->generation);
  access_log_.write(entry);
}

asio::awaitable<net::Response> MetaServer::handle(net::Request request) {
  if (request.method != "GET" && request.method != "HEAD") {
    net::Response response = net::error_response({ErrorCode::kInvalidArgument, "only GET is served here", "method"});
    response.status = 405;
    response.headers.push_back({"allow", "GET, HEAD"});
    co_return response;
  }
  Query query = begin(request);
  const auto slot = limiter_.enter();
  if (!slot) {
    net::Response refused = refusal();
    record(query, request, fail(ErrorCode::kOverloaded, "full"), refused);
    co_return refused;
  }
  const Answer answer = co_await route(query, request);
  net::Response response =
      answer ? net::json_response(net::to_text(*answer) + "\n") : net::error_response(for_users(answer.error()));
  record(query, request, answer, response);
  co_return response;
}

Result<wire::ShardRequest> MetaServer::sub_request(const std::string& query_string, uint32_t shard) {
  Query query;
  query.catalogue = active_();
  if (!query.catalogue) return fail(ErrorCode::kUnavailable, "no generation is active yet");
  if (Status done = read(query, query_string); !done) return std::unexpected(done.error());
  if (Status done = plan(query); !done) return std::unexpected(done.error());
  query.plan.request.set_shard(shard);
  query.plan.request.set_budget_ms(static_cast<uint32_t>(settings_.query_deadline.count()));
  return std::move(query.plan.request);
}

}  // namespace souk::meta_serve
