// SPDX-License-Identifier: Apache-2.0
#include "meta/serve/meta_server.h"

#include <algorithm>
#include <boost/json.hpp>

#include "meta/understand/understand.h"
#include "runtime/net/json_text.h"

namespace souk::meta_serve {

namespace asio = boost::asio;
namespace json = boost::json;
using understand::Parameters;

struct MetaServer::Query {
  std::string id;
  SteadyTime begin;
  Deadline deadline = Deadline::never();
  std::shared_ptr<const understand::Catalogue> catalogue;  // pinned
  Parameters parameters;
  understand::Plan plan;
  std::vector<std::string> stages;
  std::vector<fanout::Outcome> outcomes;
  merge::Merged merged;
  bool complete = false;
};

MetaServer::MetaServer(Settings settings, ActiveCatalogue active, net::Transport& transport,
                       snippet::SnippetClient& snippets, const Clock& clock)
    : settings_(std::move(settings)),
      active_(std::move(active)),
      transport_(transport),
      snippets_(snippets),
      clock_(clock),
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

Status MetaServer::plan(Query& query) {
  auto terms = understand::query_terms(analyzer_, query.parameters.text);
  if (!terms) return std::unexpected(terms.error());
  if (terms->empty() && query.parameters.text.find_first_not_of(" \t\r\n") != std::string::npos) {
    query.parameters.warnings.push_back("the text has no words: everything is shown");
  }
  auto plan = understand::make_plan(query.parameters, std::move(*terms), *query.catalogue);
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
  query.outcomes = co_await fanout::fan_out(transport_, clock_, std::move(targets), query.plan.request, query.deadline);
  std::vector<wire::ShardReply> replies;
  for (const fanout::Outcome& outcome : query.outcomes) {
    if (outcome.reply) replies.push_back(*outcome.reply);
  }
  if (replies.empty()) {
    co_return fail(ErrorCode::kUnavailable, "no shard answered: " + to_string(query.outcomes.front().reply.error()));
  }
  query.complete = replies.size() == query.outcomes.size();
  query.merged = merge::merge(query.plan.request, replies);
  co_return Status{};
}

json::object MetaServer::frame(const Query& query) const {
  const Parameters& parameters = query.parameters;
  const size_t begin = size_t{parameters.page - 1} * parameters.per_page;
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(clock_.now() - query.begin);
  json::array warnings;
  for (const std::string& warning : query.plan.warnings) warnings.emplace_back(warning);
  for (const fanout::Outcome& outcome : query.outcomes) {
    if (outcome.reply) continue;
    warnings.emplace_back("shard " + std::to_string(outcome.target.shard) +
                          " is missing: " + to_string(outcome.reply.error()));
  }
  return {{"request_id", query.id},
          {"generation", to_string(query.catalogue->generation)},
          {"complete", query.complete},
          {"coverage", coverage(query.outcomes)},
          {"took_ms", static_cast<double>(took.count()) / 1000},
          {"result_digest", merge::result_digest(query.merged, begin, begin + parameters.per_page)},
          {"warnings", std::move(warnings)}};
}

// The page's documents; a hit whose document is gone is dropped and the next takes its place.
asio::awaitable<Status> MetaServer::add_items(Query& query, json::object& answer) {
  const Parameters& parameters = query.parameters;
  const std::vector<merge::Hit>& hits = query.merged.hits;
  const size_t begin = std::min(size_t{parameters.page - 1} * parameters.per_page, hits.size());
  const size_t end = std::min(begin + parameters.per_page + understand::kSpareHits, hits.size());
  std::vector<snippet::SnippetId> ids;
  for (size_t i = begin; i < end; ++i) ids.push_back({hits[i].key, hits[i].version});
  Result<std::vector<std::optional<wire::SnippetDoc>>> documents;
  if (!ids.empty()) documents = co_await snippets_.get(std::move(ids), query.deadline);
  if (!documents) co_return std::unexpected(documents.error());

  AnswerWriter writer(*query.catalogue, query.plan, analyzer_);
  json::array items;
  uint64_t dropped = 0;
  for (size_t i = 0; i < documents->size() && items.size() < parameters.per_page; ++i) {
    const auto& document = (*documents)[i];
    document ? items.push_back(writer.item(hits[begin + i], *document, parameters.debug)) : void(++dropped);
  }
  if (dropped > 0) {
    answer["warnings"].as_array().emplace_back(std::to_string(dropped) +
                                               " hits were dropped: their documents are gone");
  }
  answer["dropped"] = dropped;
  answer["items"] = std::move(items);
  answer["facets"] = writer.facets(query.merged.facets);
  co_return Status{};
}

asio::awaitable<Result<json::object>> MetaServer::search(Query& query) {
  if (Status done = plan(query); !done) co_return std::unexpected(done.error());
  query.stages.emplace_back("main");
  Status done = co_await gather(query);
  if (!done) co_return std::unexpected(done.error());
  if (query.merged.total_offers == 0 && !query.plan.terms.empty()) {
    // Nothing has all the words where it counts: let the description count too.
    query.stages.emplace_back("description");
    understand::widen_to_description(query.plan, *query.catalogue);
    done = co_await gather(query);
    if (!done) co_return std::unexpected(done.error());
  }
  json::object answer = frame(query);
  json::array terms;
  for (const std::string& term : query.plan.terms) terms.emplace_back(term);
  json::array stages;
  for (const std::string& stage : query.stages) stages.emplace_back(stage);
  answer["query"] =
      json::object{{"text", query.parameters.text}, {"terms", std::move(terms)}, {"stages", std::move(stages)}};
  answer["total"] = json::object{{"models", query.merged.total_models}, {"offers", query.merged.total_offers}};
  answer["page"] = query.parameters.page;
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
  auto documents = co_await snippets_.get(std::move(ids), query.deadline);
  if (!documents) co_return std::unexpected(documents.error());
  if (!documents->front()) co_return fail(ErrorCode::kGone, "the offer's document is gone", "key");
  json::object answer{{"request_id", query.id}, {"generation", to_string(query.catalogue->generation)}};
  answer["offer"] = document(hit, *documents->front(), *query.catalogue);
  co_return answer;
}

asio::awaitable<net::Response> MetaServer::handle(net::Request request) {
  if (request.method != "GET" && request.method != "HEAD") {
    net::Response response = net::error_response({ErrorCode::kInvalidArgument, "only GET is served here", "method"});
    response.status = 405;
    response.headers.push_back({"allow", "GET, HEAD"});
    co_return response;
  }
  Query query;
  query.id = request_id(request);
  query.begin = clock_.now();
  query.deadline = Deadline::after(clock_, settings_.query_deadline);
  query.catalogue = active_();
  if (!query.catalogue) co_return net::error_response({ErrorCode::kUnavailable, "no generation is active yet", {}});

  constexpr std::string_view kOffer = "/offer/";
  Result<json::object> answer;
  if (request.path == "/search" || request.path == "/offers") {
    auto parameters = understand::parse_parameters(request.query);
    if (!parameters) co_return net::error_response(parameters.error());
    query.parameters = std::move(*parameters);
    if (request.path == "/offers") {
      if (!query.parameters.model) co_return net::error_response({ErrorCode::kInvalidArgument, "is required", "model"});
      query.parameters.group = wire::GROUP_OFFER;
    }
    answer = co_await search(query);
  } else if (request.path.starts_with(kOffer)) {
    const auto key = parse_key(std::string_view(request.path).substr(kOffer.size()));
    if (!key) co_return net::error_response({ErrorCode::kInvalidArgument, key.error().message, "key"});
    answer = co_await offer(query, *key);
  } else {
    co_return net::error_response({ErrorCode::kNotFound, "no such page", "path"});
  }
  if (!answer) co_return net::error_response(answer.error());
  co_return net::json_response(net::to_text(*answer) + "\n");
}

Result<wire::ShardRequest> MetaServer::sub_request(const std::string& query_string, uint32_t shard) {
  Query query;
  query.catalogue = active_();
  if (!query.catalogue) return fail(ErrorCode::kUnavailable, "no generation is active yet");
  auto parameters = understand::parse_parameters(query_string);
  if (!parameters) return std::unexpected(parameters.error());
  query.parameters = std::move(*parameters);
  if (Status done = plan(query); !done) return std::unexpected(done.error());
  query.plan.request.set_shard(shard);
  query.plan.request.set_budget_ms(static_cast<uint32_t>(settings_.query_deadline.count()));
  return std::move(query.plan.request);
}

}  // namespace souk::meta_serve
