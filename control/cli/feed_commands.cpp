// SPDX-License-Identifier: Apache-2.0
#include "control/cli/feed_commands.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <vector>

#include "control/cli/json_access.h"
#include "control/cli/text_table.h"

namespace souk::control {
namespace {

namespace json = boost::json;

std::string shop_path(const std::string& shop) {
  return "/shops/" + boost::urls::encode(shop, boost::urls::unreserved_chars);
}

net::Request post(std::string path, const json::object& body) {
  net::Request request;
  request.method = "POST";
  request.path = std::move(path);
  request.headers = {{"content-type", "application/json"}};
  request.body = json::serialize(body);
  return request;
}

bool has_indexer(const config::Topology& topology) {
  return topology.indexer.admin_address.port != 0;
}

std::string ago(int64_t then, int64_t now) {
  if (then == 0) return "never";
  const int64_t seconds = std::max<int64_t>(0, now - then);
  if (seconds < 120) return fmt::format("{} s ago", seconds);
  if (seconds < 7200) return fmt::format("{} min ago", seconds / 60);
  if (seconds < 172'800) return fmt::format("{} h ago", seconds / 3600);
  return fmt::format("{} days ago", seconds / 86'400);
}

}  // namespace

Result<std::string> release_feed(const FeedTools& tools, const std::string& shop) {
  if (has_indexer(tools.topology)) {
    const auto answer = tools.fetch(tools.topology.indexer.admin_address, post(shop_path(shop) + "/release", {}));
    if (answer && answer->status == 202) return "released: the indexer takes the held feed now";
    // Only where nobody listens is the catalogue nobody's.
    if (!answer && answer.error().code != ErrorCode::kUnavailable) return std::unexpected(answer.error());
    if (answer) {
      const auto object = answer_object(*answer);
      return object ? fail(ErrorCode::kCorruption, "the indexer's answer is not one to a release")
                    : std::unexpected(object.error());
    }
  }
  auto store = tools.open_store();
  if (!store) return std::unexpected(store.error());
  const auto found = (*store)->find_shop(shop);
  if (!found) return std::unexpected(found.error());
  if (!*found) return fail(ErrorCode::kNotFound, "there is no such shop", shop);
  if ((*found)->state.hold.reason.empty()) return fail(ErrorCode::kNotFound, "nothing of this shop is held", shop);
  offers::FeedState state = (*found)->state;
  state.hold.released = true;
  if (Status saved = (*store)->save_state((*found)->number, state); !saved) return std::unexpected(saved.error());
  return "released: the same feed passes when it is read again";
}

Result<std::string> feed_table(offers::OfferStore& store, const Clock& clock) {
  const auto shops = store.shops();
  if (!shops) return std::unexpected(shops.error());
  const int64_t now = clock.unix_seconds();
  std::vector<std::vector<std::string>> rows;
  for (const offers::Shop& shop : *shops) {
    const offers::Hold& hold = shop.state.hold;
    std::string held = "-";
    if (!hold.reason.empty())
      held = fmt::format("{} {}{}", hold.reason, ago(hold.since, now), hold.released ? ", released" : "");
    rows.push_back({terminal_text(shop.name), std::to_string(shop.live_offers),
                    std::string(to_string(shop.settings.mode)), ago(shop.state.fetched, now),
                    std::to_string(shop.state.failures), held,
                    shop.settings.feed_url.empty() ? "-" : terminal_text(shop.settings.feed_url)});
  }
  return format_table(
      {{"shop", 30}, {"offers", 0, true}, {"mode"}, {"fetched"}, {"failures", 0, true}, {"held"}, {"address"}}, rows);
}

Result<std::string> add_shop(const FeedTools& tools, const NewShop& shop) {
  if (!has_indexer(tools.topology))
    return fail(ErrorCode::kInvalidArgument, "the topology has no [indexer]", "--topology");
  json::object body{{"name", shop.name}};
  if (!shop.feed_url.empty()) body["feed_url"] = shop.feed_url;
  if (!shop.mode.empty()) body["mode"] = shop.mode;
  if (shop.period_seconds > 0) body["period_seconds"] = shop.period_seconds;
  if (!shop.regions.empty()) body["regions"] = json::array(shop.regions.begin(), shop.regions.end());
  const auto answer = tools.fetch(tools.topology.indexer.admin_address, post("/shops", body));
  if (!answer) {
    return fail(answer.error().code, "the indexer does not answer (./souk serve starts it): " + answer.error().message,
                to_string(tools.topology.indexer.admin_address));
  }
  const auto object = answer_object(*answer);
  if (!object) return std::unexpected(object.error());
  const std::string token = text_at(*object, "token");
  if (token.empty()) return fail(ErrorCode::kCorruption, "the indexer's answer has no token");
  return token;
}

}  // namespace souk::control
