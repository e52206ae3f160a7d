// SPDX-License-Identifier: Apache-2.0
#include "indexer/match/trust.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "indexer/match/title_facts.h"

namespace souk::match {
namespace {

constexpr size_t kMostVendors = 64;  // of one barcode that are compared; one with more names no product
constexpr size_t kMostTitles = 64;   // of one code that are compared

// Takes trust from the marks of shops that give one barcode to many offers.
void judge_shops(const Evidence& evidence, std::span<Mark> run) {
  if (run.size() <= kMostOfShop) return;
  std::map<uint32_t, size_t> of_shop;
  for (const Mark& mark : run) ++of_shop[evidence.offers()[mark.offer].shop];
  for (Mark& mark : run) {
    if (of_shop[evidence.offers()[mark.offer].shop] > kMostOfShop) mark.trusted = false;
  }
}

// Puts vendors that may be one maker into one family; chains count.
std::map<uint32_t, uint32_t> families(const Evidence& evidence, const std::set<uint32_t>& vendors) {
  const std::vector<uint32_t> list(vendors.begin(), vendors.end());
  std::vector<uint32_t> family(list.size());
  for (uint32_t i = 0; i < list.size(); ++i) {
    family[i] = i;
    for (uint32_t j = 0; j < i; ++j) {
      if (obviously_differ(evidence.vendor(list[i]), evidence.vendor(list[j]))) continue;
      std::ranges::replace(family, family[j], family[i]);
    }
  }
  std::map<uint32_t, uint32_t> result;
  for (uint32_t i = 0; i < list.size(); ++i) result.emplace(list[i], family[i]);
  return result;
}

// Whether the barcode has lost trust, in whole or in part.
bool judge_vendors(const Evidence& evidence, std::span<Mark> run) {
  std::set<uint32_t> vendors;
  for (const Mark& mark : run) {
    const uint32_t vendor = evidence.offers()[mark.offer].vendor;
    if (mark.trusted && !evidence.vendor(vendor).words.empty()) vendors.insert(vendor);
    if (vendors.size() > kMostVendors) break;
  }
  if (vendors.size() < 2) return false;
  const bool too_many = vendors.size() > kMostVendors;
  const auto family_of = too_many ? std::map<uint32_t, uint32_t>() : families(evidence, vendors);
  std::map<uint32_t, std::set<uint32_t>> shops;  // of each family
  size_t votes = 0;
  for (const Mark& mark : run) {
    const OfferMarks& offer = evidence.offers()[mark.offer];
    const auto family = family_of.find(offer.vendor);
    if (mark.trusted && family != family_of.end()) votes += shops[family->second].insert(offer.shop).second ? 1 : 0;
  }
  if (shops.size() == 1) return false;
  const auto most = std::ranges::max_element(shops, {}, [](const auto& family) { return family.second.size(); });
  const bool has_maker = !too_many && most->second.size() * 4 >= votes * 3;
  for (Mark& mark : run) {
    const auto family = family_of.find(evidence.offers()[mark.offer].vendor);
    const bool names_another = family != family_of.end() && has_maker && family->second != most->first;
    if (!has_maker || names_another) mark.trusted = false;
  }
  return true;
}

// Looks for a sign that a vendor's code names several products.
class CodeJudge {
 public:
  CodeJudge(const Evidence& evidence, std::span<const uint32_t> roots, const std::vector<bool>& told)
      : evidence_(evidence), roots_(roots), told_(told) {}

  bool names_several(std::span<const Mark> run) {
    if (run.size() < 2) return false;
    if (run.size() > kMostOffers) return true;
    return barcodes_differ(run) || one_shop_has_several(run) || titles_contradict(run);
  }

 private:
  bool barcodes_differ(std::span<const Mark> run) const {
    std::optional<uint32_t> product;
    for (const Mark& mark : run) {
      const uint32_t root = roots_[mark.offer];
      if (!told_[root]) continue;
      if (product && *product != root) return true;
      product = root;
    }
    return false;
  }

  // A shop does not sell one product as two offers, but for variants of one group.
  bool one_shop_has_several(std::span<const Mark> run) {
    struct Sold {
      uint32_t root = 0;
      uint64_t group = 0;
      bool several = false, one_group = true;
    };
    std::unordered_map<uint32_t, Sold> shops;
    for (const Mark& mark : run) {
      const OfferMarks& offer = evidence_.offers()[mark.offer];
      const auto [known, is_new] = shops.try_emplace(offer.shop, Sold{roots_[mark.offer], offer.group});
      Sold& sold = known->second;
      if (is_new) continue;
      if (sold.root != roots_[mark.offer]) sold.several = true;
      if (sold.group == 0 || sold.group != offer.group) sold.one_group = false;
    }
    const auto several = [](const auto& shop) { return shop.second.several; };
    names_style_ = std::ranges::any_of(shops, several);
    return std::ranges::any_of(shops, [](const auto& shop) { return shop.second.several && !shop.second.one_group; });
  }

  bool titles_contradict(std::span<const Mark> run) const {
    if (names_style_) return false;  // its variants have titles of their own
    struct Said {
      uint32_t root;
      bool several = false;  // of several roots
    };
    std::map<std::vector<uint32_t>, Said> titles;
    for (const Mark& mark : run) {
      const auto facts = evidence_.facts(mark.offer);
      if (facts.empty()) continue;
      const auto [known, is_new] = titles.try_emplace({facts.begin(), facts.end()}, Said{roots_[mark.offer]});
      if (known->second.root != roots_[mark.offer]) known->second.several = true;
    }
    const auto end = std::next(titles.begin(), static_cast<ptrdiff_t>(std::min(titles.size(), kMostTitles)));
    for (auto a = titles.begin(); a != end; ++a) {
      for (auto b = std::next(a); b != end; ++b) {
        const bool is_one = a->second.root == b->second.root && !a->second.several && !b->second.several;
        if (!is_one && contradict(a->first, b->first)) return true;
      }
    }
    return false;
  }

  const Evidence& evidence_;
  std::span<const uint32_t> roots_;
  const std::vector<bool>& told_;
  bool names_style_ = false;  // a shop has variants of one group under this code
};

}  // namespace

void for_each_identity(std::span<Mark> marks, IdentityKind first, IdentityKind last,
                       const std::function<void(std::span<Mark>)>& each) {
  const auto kind = [](const Mark& mark) { return kind_of(mark.identity); };
  const auto begin = std::ranges::lower_bound(marks, first, {}, kind);
  const auto end = std::ranges::upper_bound(marks, last, {}, kind);
  for (auto run = begin; run != end;) {
    auto next = run;
    while (next != end && next->identity == run->identity) ++next;
    each({run, next});
    run = next;
  }
}

uint64_t judge_barcodes(Evidence& evidence) {
  uint64_t distrusted = 0;
  for_each_identity(evidence.marks(), IdentityKind::kBarcode, IdentityKind::kShopBarcode, [&](std::span<Mark> run) {
    if (run.size() < 2) return;
    judge_shops(evidence, run);
    if (judge_vendors(evidence, run)) ++distrusted;
  });
  return distrusted;
}

std::vector<bool> oversized(const Evidence& evidence, std::span<const uint32_t> roots) {
  std::vector<uint32_t> sizes(roots.size());
  for (const uint32_t root : roots) ++sizes[root];
  std::vector<std::pair<uint32_t, uint32_t>> sold;  // root, shop
  for (uint32_t offer = 0; offer < roots.size(); ++offer) {
    if (sizes[roots[offer]] > kSuspectOffers) sold.emplace_back(roots[offer], evidence.offers()[offer].shop);
  }
  std::ranges::sort(sold);
  sold.erase(std::ranges::unique(sold).begin(), sold.end());
  std::vector<bool> result(roots.size());
  for (size_t i = 0; i < sold.size();) {
    const uint32_t root = sold[i].first;
    size_t shops = 0;
    for (; i < sold.size() && sold[i].first == root; ++i) ++shops;
    result[root] = sizes[root] > kMostOffers || sizes[root] > shops * kMostPerShop;
  }
  return result;
}

uint64_t judge_codes(Evidence& evidence, std::span<const uint32_t> roots) {
  std::vector<bool> told(roots.size());  // a barcode that holds in all shops says which product the root is
  for_each_identity(evidence.marks(), IdentityKind::kBarcode, IdentityKind::kBarcode, [&](std::span<Mark> run) {
    for (const Mark& mark : run) {
      if (mark.trusted) told[roots[mark.offer]] = true;
    }
  });
  uint64_t distrusted = 0;
  CodeJudge judge(evidence, roots, told);
  for_each_identity(evidence.marks(), IdentityKind::kVendorCode, IdentityKind::kVendorCode, [&](std::span<Mark> run) {
    if (!judge.names_several(run)) return;
    ++distrusted;
    for (Mark& mark : run) mark.trusted = false;
  });
  return distrusted;
}

void judge_groups(Evidence& evidence, std::span<const uint32_t> roots) {
  std::vector<bool> identified(roots.size());
  for_each_identity(evidence.marks(), IdentityKind::kBarcode, IdentityKind::kVendorCode, [&](std::span<Mark> run) {
    for (const Mark& mark : run) {
      if (mark.trusted) identified[mark.offer] = true;
    }
  });
  for_each_identity(evidence.marks(), IdentityKind::kGroup, IdentityKind::kGroup, [&](std::span<Mark> run) {
    std::optional<uint32_t> product;
    bool several = false;
    for (const Mark& mark : run) {
      if (!identified[mark.offer]) continue;
      if (product && *product != roots[mark.offer]) several = true;
      product = roots[mark.offer];
    }
    for (Mark& mark : run) {
      if (run.size() > kMostOfGroup || (several && identified[mark.offer])) mark.trusted = false;
    }
  });
}

}  // namespace souk::match
