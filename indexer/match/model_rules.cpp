// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "indexer/match/match_models.h"
#include "runtime/config/table_reader.h"
#include "runtime/config/toml_guard.h"

namespace souk::match {
namespace {

constexpr size_t kMaxOffers = 100'000;
constexpr size_t kMaxName = 100;
constexpr size_t kMaxText = 1200;  // bytes of "SHOP/ID": 100 and 255 characters

bool is_plain(std::string_view text, size_t max_bytes) {
  return !text.empty() && text.size() <= max_bytes &&
         std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

class RulesReader {
 public:
  explicit RulesReader(const std::string& file_name) : errors_(file_name) {}

  Result<ModelRules> read(const config::ConfigValue& root) {
    config::TableReader top(root, "the rules", errors_);
    for (const config::ConfigValue* rule : top.tables("joined")) read_joined(*rule);
    for (const config::ConfigValue* rule : top.tables("split")) read_split(*rule);
    for (const auto& [code, line] : top.texts("bad_codes", false)) {
      if (!is_plain(code, kMaxText)) errors_.add(line, "a code must be 1 to 1200 printable bytes");
      rules_.bad_codes.push_back(code);
    }
    top.refuse_unknown();
    if (offers_ + rules_.bad_codes.size() > kMaxOffers) errors_.add(1, fmt::format("more than {} offers", kMaxOffers));
    if (errors_.any()) return std::unexpected(errors_.get());
    return std::move(rules_);
  }

 private:
  void read_joined(const config::ConfigValue& value) {
    std::vector<int> lines;
    ModelRules::Offers rule = read_rule(value, "[[joined]]", lines);
    for (size_t i = 0; i < rule.offers.size(); ++i) {
      const auto [known, is_new] = joined_.emplace(rule.offers[i], rule.name);
      if (!is_new)
        errors_.add(lines[i], fmt::format("'{}' is also in the joined rule '{}'", known->first, known->second));
    }
    rules_.joined.push_back(std::move(rule));
  }

  void read_split(const config::ConfigValue& value) {
    std::vector<int> lines;
    ModelRules::Offers rule = read_rule(value, "[[split]]", lines);
    for (size_t i = 0; i < rule.offers.size(); ++i) {
      const auto known = joined_.find(rule.offers[i]);
      if (known == joined_.end()) continue;
      errors_.add(lines[i], fmt::format("'{}' is also in the joined rule '{}'", known->first, known->second));
    }
    rules_.split.push_back(std::move(rule));
  }

  ModelRules::Offers read_rule(const config::ConfigValue& value, const std::string& what, std::vector<int>& lines) {
    config::TableReader table(value, what, errors_);
    ModelRules::Offers rule;
    rule.name = table.text("name");
    if (!is_plain(rule.name, kMaxName)) errors_.add(table.line_of("name"), "'name' must be 1 to 100 printable bytes");
    std::set<std::string> seen;
    for (const auto& [offer, line] : table.texts("offers", true)) {
      const size_t cut = offer.find('/');
      const bool is_offer = is_plain(offer, kMaxText) && cut != 0 && cut != std::string::npos && cut + 1 < offer.size();
      if (!is_offer) errors_.add(line, "an offer is written \"SHOP/ID\"");
      if (!seen.insert(offer).second) errors_.add(line, fmt::format("'{}' is named twice", offer));
      rule.offers.push_back(offer);
      lines.push_back(line);
    }
    if (rule.offers.size() < 2) errors_.add(table.line_of("offers"), "a rule names two offers or more");
    offers_ += rule.offers.size();
    table.refuse_unknown();
    return rule;
  }

  config::FirstError errors_;
  ModelRules rules_;
  std::map<std::string, std::string> joined_;  // offer -> its rule
  size_t offers_ = 0;
};

}  // namespace

Result<ModelRules> parse_model_rules(std::string_view text, const std::string& file_name) {
  const Result<config::ConfigValue> root = config::parse_config(text, file_name);
  if (!root) return std::unexpected(root.error());
  return RulesReader(file_name).read(*root);
}

Result<ModelRules> load_model_rules(const std::string& path) {
  const Result<std::string> text = config::read_config_file(path);
  if (!text) return std::unexpected(text.error());
  return parse_model_rules(*text, path);
}

}  // namespace souk::match
