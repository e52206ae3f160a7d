// SPDX-License-Identifier: Apache-2.0
#include "control/cli/offer_where.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <optional>

#include "control/cli/built_generation.h"
#include "control/cli/feed_trace.h"
#include "control/cli/json_access.h"
#include "control/cli/text_table.h"

namespace souk::control {

namespace {

constexpr size_t kShownShops = 10;

std::string in_line(uint64_t line) {
  return line > 0 ? fmt::format(" in line {}", line) : std::string();
}

std::string key_text(DocKey key) {
  return fmt::format("{} (slot {})", to_string(key), key.slot());
}

std::string reason_text(const offers::LinkReason& reason) {
  switch (reason.kind) {
    case offers::LinkReason::Kind::kBarcode:
      return "barcode " + reason.evidence;
    case offers::LinkReason::Kind::kVendorCode:
      return "vendor and code " + reason.evidence;
    case offers::LinkReason::Kind::kGroup:
      return "the shop's group " + reason.evidence;
    case offers::LinkReason::Kind::kRule:
      return "the rule '" + reason.evidence + "'";
    case offers::LinkReason::Kind::kNone:
      break;
  }
  return "nothing that is known";
}

// Collects the steps.
class Way {
 public:
  Way(offers::OfferStore& store, const OfferQuestion& question, const Fetch& fetch)
      : store_(store), question_(question), fetch_(fetch) {}

  Result<std::string> text() {
    const auto shops = store_.shops();
    if (!shops) return std::unexpected(shops.error());
    const auto shop = std::ranges::find(*shops, question_.shop, &offers::Shop::name);
    if (shop == shops->end()) {
      add("absent", "no shop of this name; there are " + names(*shops));
      return std::move(text_);
    }
    add("shop", fmt::format("{} (number {})", shop->name, shop->number));
    Status done = from_feed(*shop);
    if (!done) return std::unexpected(done.error());
    return std::move(text_);
  }

 private:
  void add(std::string_view step, const std::string& what) {
    text_ += fmt::format("{:<11}{}\n", step, terminal_text(what));
  }

  static std::string names(const std::vector<offers::Shop>& shops) {
    std::string text;
    for (size_t i = 0; i < shops.size() && i < kShownShops; ++i) text += (i > 0 ? ", " : "") + shops[i].name;
    if (shops.size() > kShownShops) text += fmt::format(" and {} more", shops.size() - kShownShops);
    return shops.empty() ? "none" : text;
  }

  Status from_feed(const offers::Shop& shop) {
    const auto key = store_.key_of(shop.number, question_.offer_id);
    if (!key) return std::unexpected(key.error());
    std::optional<offers::StoredOffer> stored;
    if (*key) {
      auto found = store_.find(**key);
      if (!found) return std::unexpected(found.error());
      stored = std::move(*found);
    }
    const auto trace = trace_in_report(question_.data, shop.name, question_.offer_id);
    add_feed(trace, shop, stored.has_value());
    if (*key) add("key", key_text(**key));
    if (stored) {
      follow(*stored);
    } else {
      add("absent", why_not_in_store(trace, key->has_value()));
    }
    return {};
  }

  void add_feed(const Result<FeedTrace>& trace, const offers::Shop& shop, bool is_stored) {
    if (!trace) {
      add("feed", "no report of it: " + to_string(trace.error()));
      return;
    }
    const feed::FeedError& refused = trace->feed_error;
    if (!refused.kind.empty()) {
      add("feed", fmt::format("{} was refused{}: {}: {}; the earlier offers stay", trace->file, in_line(refused.line),
                              refused.kind, refused.message));
      return;
    }
    if (!is_stored) {
      add("feed", trace->file);
      return;
    }
    const auto line = line_in_feed(trace->file, shop.feed_hash.substr(0, 64), shop.settings.mode, question_.offer_id);
    add("feed", line ? fmt::format("{}, line {}", trace->file, *line)
                     : fmt::format("{}, line not known: {}", trace->file, line.error().message));
    // A second offer with the same id.
    if (trace->rejected) add("rejected", rejection(*trace->rejected));
  }

  static std::string rejection(const feed::OfferError& error) {
    return fmt::format("one with this id{}: {}: {}", in_line(error.line), error.kind, error.message);
  }

  static std::string why_not_in_store(const Result<FeedTrace>& trace, bool had_key) {
    if (trace && trace->rejected) {
      return fmt::format("rejected{}: {}: {}", in_line(trace->rejected->line), trace->rejected->kind,
                         trace->rejected->message);
    }
    std::string text = had_key ? "gone: the shop's last accepted feed has it no more, its key stays"
                               : "never seen: no accepted feed of the shop had it";
    if (trace && !trace->has_all_errors) text += " (or it was rejected: the report does not list all that were)";
    return text;
  }

  void follow(const offers::StoredOffer& stored) {
    add("model", stored.model ? key_text(stored.model) + ", by " + reason_text(stored.link)
                              : "none: it has no barcode, vendor code or group that counts");
    const uint16_t slot = (stored.model ? stored.model : stored.key).slot();
    add("placement", fmt::format("slot {}", slot));
    const auto active = active_generation();
    if (!active) {
      add(active.error().code == ErrorCode::kNotFound ? "absent" : "unknown", active.error().message);
      return;
    }
    const auto manifest = read_manifest(question_.data, active->content_hash);
    if (!manifest) {
      add("shard", "not known: " + to_string(manifest.error()));
    } else if (slot >= manifest->slots.size()) {
      add("shard", "none: the generation has no such slot");
    } else {
      const uint32_t shard = manifest->slots[slot];
      add("shard", fmt::format("{} of {} ({})", shard, manifest->shards, holders(shard)));
    }
    add("generation", to_string(*active));
    ask_nodes(stored.key, *active);
  }

  Result<GenerationId> active_generation() const {
    const auto response = fetch_(question_.topology.control.address, get_request("/status"));
    const auto answer = response ? answer_object(*response) : std::unexpected(response.error());
    if (!answer) {
      return fail(ErrorCode::kUnavailable,
                  "which generation is active is not known: control: " + to_string(answer.error()));
    }
    const std::string active = text_at(*answer, "active");
    if (active.empty()) return fail(ErrorCode::kNotFound, "no generation is active yet");
    return parse_generation(active);
  }

  std::string holders(uint32_t shard) const {
    std::string text;
    for (const config::NodeConfig& node : question_.topology.nodes) {
      if (node.has_shard && node.shard == shard) text += (text.empty() ? "" : ", ") + node.name;
    }
    return text.empty() ? "no node" : text;
  }

  // The first node that knows tells.
  void ask_nodes(DocKey key, const GenerationId& active) {
    std::string problem = "the topology has no meta node";
    for (const config::NodeConfig& node : question_.topology.nodes) {
      if (!node.has_meta) continue;
      const auto response = fetch_(reachable(node.public_address), get_request("/offer/" + to_string(key)));
      const auto answer = response ? answer_object(*response) : std::unexpected(response.error());
      if (response && response->status == 410) {
        add("absent", fmt::format("{} {}; {}", node.name, to_string(answer.error()), why_not_served(active)));
        return;
      }
      if (answer) {
        add("served", fmt::format("by {}, generation {}", node.name, text_at(*answer, "generation")));
        return;
      }
      problem = node.name + ": " + to_string(answer.error());
    }
    add("unknown", "no node tells: " + problem);
  }

  std::string why_not_served(const GenerationId& active) const {
    const auto latest = last_built(question_.data);
    if (latest && *latest != active.content_hash) {
      return "the last built generation, " + hex16(*latest) + ", is not the active one";
    }
    return "what was accepted after the last build comes with the next";
  }

  offers::OfferStore& store_;
  const OfferQuestion& question_;
  const Fetch& fetch_;
  std::string text_;
};

}  // namespace

Result<std::string> offer_where(offers::OfferStore& store, const OfferQuestion& question, const Fetch& fetch) {
  return Way(store, question, fetch).text();
}

}  // namespace souk::control
