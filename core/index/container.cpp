// SPDX-License-Identifier: Apache-2.0
#include "core/index/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/base/hash.h"

namespace souk::index {

static_assert(std::endian::native == std::endian::little, "files are little-endian and read in place");

namespace {

constexpr std::string_view kMagic = "SOUKFILE";
constexpr uint32_t kFormatVersion = 1;
constexpr size_t kAlignment = 64;
constexpr size_t kMaxSections = 1024;
constexpr size_t kEntryBytes = 32;

struct Header {
  char magic[8];
  uint32_t format;
  uint32_t kind;
};

struct Trailer {
  uint64_t table_offset;
  uint64_t sections;
  uint64_t checksum;  // of header, table and the two numbers before
  char magic[8];
};
static_assert(sizeof(Header) == 16 && sizeof(Trailer) == 32);

std::string_view text_of(const void* object, size_t size) {
  return {static_cast<const char*>(object), size};
}

std::unexpected<Error> corrupt(std::string message, std::string section = {}) {
  return fail(ErrorCode::kCorruption, std::move(message), std::move(section));
}

uint64_t checksum_of(const Header& header, std::string_view table, const Trailer& trailer) {
  std::string all(text_of(&header, sizeof(header)));
  all += table;
  all += text_of(&trailer, 2 * sizeof(uint64_t));
  return xxh3(std::string_view(all));
}

struct TableEntry {
  uint32_t id;
  uint32_t coding;
  uint64_t offset;
  uint64_t size;
  uint64_t checksum;
};

constexpr uint64_t aligned(uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

// The section table's bytes within the file, once header, trailer and the table's own checksum are right.
Result<std::string_view> read_table(Bytes file, FileKind kind) {
  Header header{};
  Trailer trailer{};
  std::memcpy(&header, file.data(), sizeof(header));
  std::memcpy(&trailer, file.data() + file.size() - sizeof(trailer), sizeof(trailer));
  if (text_of(header.magic, 8) != kMagic) return corrupt("not a souk file");
  if (text_of(trailer.magic, 8) != kMagic) return corrupt("the file has no trailer: it is cut short");
  if (header.format != kFormatVersion) {
    return fail(ErrorCode::kVersionMismatch, fmt::format("format {} is not {}", header.format, kFormatVersion));
  }
  if (header.kind != static_cast<uint32_t>(kind)) return corrupt("the file is of another kind");
  const uint64_t table_end = file.size() - sizeof(trailer);
  if (trailer.sections > kMaxSections || trailer.table_offset < sizeof(Header) || trailer.table_offset > table_end ||
      table_end - trailer.table_offset != trailer.sections * kEntryBytes) {
    return corrupt("the section table does not fit the file");
  }
  const std::string_view table = text_of(file.data() + trailer.table_offset, table_end - trailer.table_offset);
  if (checksum_of(header, table, trailer) != trailer.checksum) return corrupt("the section table's checksum is wrong");
  return table;
}

}  // namespace

bool is_zero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

std::string_view name_of(SectionId id) {
  using enum SectionId;
  static constexpr std::pair<SectionId, std::string_view> kNames[] = {
      {kStats, "stats"},
      {kMainTerms, "main_terms"},
      {kMainEntries, "main_entries"},
      {kMainChunks, "main_chunks"},
      {kMainBytes, "main_bytes"},
      {kDescriptionTerms, "description_terms"},
      {kDescriptionEntries, "description_entries"},
      {kDescriptionChunks, "description_chunks"},
      {kDescriptionBytes, "description_bytes"},
      {kCategoryListTerms, "category_list_terms"},
      {kCategoryListEntries, "category_list_entries"},
      {kCategoryListChunks, "category_list_chunks"},
      {kCategoryListBytes, "category_list_bytes"},
      {kVendorListTerms, "vendor_list_terms"},
      {kVendorListEntries, "vendor_list_entries"},
      {kVendorListChunks, "vendor_list_chunks"},
      {kVendorListBytes, "vendor_list_bytes"},
      {kParamListTerms, "param_list_terms"},
      {kParamListEntries, "param_list_entries"},
      {kParamListChunks, "param_list_chunks"},
      {kParamListBytes, "param_list_bytes"},
      {kKeys, "keys"},
      {kVersions, "versions"},
      {kCategories, "categories"},
      {kVendors, "vendors"},
      {kShops, "shops"},
      {kPrices, "prices"},
      {kOldPrices, "old_prices"},
      {kFirstSeen, "first_seen"},
      {kInStock, "in_stock"},
      {kParamOffsets, "param_offsets"},
      {kParamValues, "param_values"},
      {kKeyOrder, "key_order"},
      {kLevelBegins, "level_begins"},
      {kFlags, "flags"},
      {kForeignDocs, "foreign_docs"},
      {kForeignCurrencies, "foreign_currencies"},
      {kForeignPrices, "foreign_prices"},
      {kForeignOldPrices, "foreign_old_prices"},
      {kGroupKeys, "group_keys"},
      {kGroupBegins, "group_begins"},
      {kForwardOffsets, "forward_offsets"},
      {kForwardTerms, "forward_terms"},
      {kLexiconBlocks, "lexicon_blocks"},
      {kLexiconBytes, "lexicon_bytes"},
      {kLexiconMainDf, "lexicon_main_df"},
      {kLexiconAnyDf, "lexicon_any_df"},
      {kCategoryKeys, "category_keys"},
      {kCategoryParents, "category_parents"},
      {kCategoryEnds, "category_ends"},
      {kCategoryNameOffsets, "category_name_offsets"},
      {kCategoryNameBytes, "category_name_bytes"},
      {kVendorFoldedOffsets, "vendor_folded_offsets"},
      {kVendorFoldedBytes, "vendor_folded_bytes"},
      {kVendorNameOffsets, "vendor_name_offsets"},
      {kVendorNameBytes, "vendor_name_bytes"},
      {kShopKeys, "shop_keys"},
      {kShopFoldedOffsets, "shop_folded_offsets"},
      {kShopFoldedBytes, "shop_folded_bytes"},
      {kShopNameOffsets, "shop_name_offsets"},
      {kShopNameBytes, "shop_name_bytes"},
      {kParamNameFoldedOffsets, "param_name_folded_offsets"},
      {kParamNameFoldedBytes, "param_name_folded_bytes"},
      {kParamNameOffsets, "param_name_offsets"},
      {kParamNameBytes, "param_name_bytes"},
      {kParamNameBegins, "param_name_begins"},
      {kParamValueFoldedOffsets, "param_value_folded_offsets"},
      {kParamValueFoldedBytes, "param_value_folded_bytes"},
      {kParamValueOffsets, "param_value_offsets"},
      {kParamValueBytes, "param_value_bytes"},
      {kMarket, "market"},
      {kRegionNameOffsets, "region_name_offsets"},
      {kRegionNameBytes, "region_name_bytes"},
      {kRegionParents, "region_parents"},
      {kShopRegionBegins, "shop_region_begins"},
      {kShopRegions, "shop_regions"},
  };
  const auto* const named = std::ranges::find(kNames, id, &std::pair<SectionId, std::string_view>::first);
  return named == std::end(kNames) ? "unknown" : named->second;
}

ContainerWriter::ContainerWriter(FileKind kind, Sink sink) : kind_(kind), sink_(std::move(sink)) {
  const Header header{{'S', 'O', 'U', 'K', 'F', 'I', 'L', 'E'}, kFormatVersion, static_cast<uint32_t>(kind)};
  status_ = write(text_of(&header, sizeof(header)));
}

Status ContainerWriter::write(std::string_view bytes) {
  if (Status done = sink_(bytes); !done) return done;
  offset_ += bytes.size();
  return {};
}

Status ContainerWriter::pad() {
  static constexpr char kZeros[kAlignment] = {};
  const size_t rest = offset_ % kAlignment;
  return rest == 0 ? Status{} : write({kZeros, kAlignment - rest});
}

Status ContainerWriter::add(SectionId id, Coding coding, Bytes bytes) {
  Status done = begin(id, coding);
  if (done) done = append(bytes);
  if (done) done = end();
  return done;
}

Status ContainerWriter::begin(SectionId id, Coding coding) {
  SOUK_CHECK(!open_ || !status_);
  if (status_) status_ = pad();
  if (!status_) return status_;
  entries_.push_back({static_cast<uint32_t>(id), static_cast<uint32_t>(coding), offset_, 0, 0});
  checksum_.reset();
  open_ = true;
  return {};
}

Status ContainerWriter::append(Bytes bytes) {
  if (!status_) return status_;
  SOUK_CHECK(open_);
  checksum_.update(bytes);
  return status_ = write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Status ContainerWriter::end() {
  if (!status_) return status_;
  SOUK_CHECK(open_);
  Entry& entry = entries_.back();
  entry.size = offset_ - entry.offset;
  entry.checksum = checksum_.digest();
  open_ = false;
  return {};
}

Status ContainerWriter::finish() {
  SOUK_CHECK(!open_ || !status_);
  if (status_) status_ = pad();
  if (!status_) return status_;
  static_assert(sizeof(Entry) == kEntryBytes);
  const std::string_view table = text_of(entries_.data(), entries_.size() * kEntryBytes);
  const Header header{{'S', 'O', 'U', 'K', 'F', 'I', 'L', 'E'}, kFormatVersion, static_cast<uint32_t>(kind_)};
  Trailer trailer{offset_, entries_.size(), 0, {'S', 'O', 'U', 'K', 'F', 'I', 'L', 'E'}};
  trailer.checksum = checksum_of(header, table, trailer);
  if (status_ = write(table); !status_) return status_;
  return status_ = write(text_of(&trailer, sizeof(trailer)));
}

Result<Container> Container::open(Bytes file, FileKind kind) {
  if (file.size() < sizeof(Header) + sizeof(Trailer)) return corrupt("the file is too short");
  SOUK_CHECK(reinterpret_cast<uintptr_t>(file.data()) % 8 == 0);
  auto table = read_table(file, kind);
  if (!table) return std::unexpected(table.error());

  Container container;
  uint64_t end = sizeof(Header);  // of what was read so far
  for (size_t at = 0; at < table->size(); at += kEntryBytes) {
    TableEntry entry{};
    std::memcpy(&entry, table->data() + at, kEntryBytes);
    const auto id = static_cast<SectionId>(entry.id);
    const std::string name(name_of(id));
    const uint64_t limit = static_cast<uint64_t>(table->data() - text_of(file.data(), 0).data());
    if (entry.offset != aligned(end) || entry.offset > limit || entry.size > limit - entry.offset) {
      return corrupt("the section does not lie where it must", name);
    }
    if (!is_zero(file.subspan(end, entry.offset - end)))
      return corrupt("the gap before the section is not empty", name);
    const Bytes bytes = file.subspan(entry.offset, entry.size);
    if (xxh3(bytes) != entry.checksum) return corrupt("the section's checksum is wrong", name);
    const auto same = [id](const Section& other) { return other.id == id; };
    if (std::ranges::any_of(container.sections_, same)) return corrupt("the section occurs twice", name);
    container.sections_.push_back({id, static_cast<Coding>(entry.coding), bytes});
    end = entry.offset + entry.size;
  }
  const uint64_t table_offset = static_cast<uint64_t>(table->data() - text_of(file.data(), 0).data());
  if (table_offset != aligned(end) || !is_zero(file.subspan(end, table_offset - end))) {
    return corrupt("there are bytes that belong to no section");
  }
  return container;
}

Result<Bytes> Container::section(SectionId id, Coding coding) const {
  for (const Section& section : sections_) {
    if (section.id != id) continue;
    if (section.coding != coding) {
      return fail(ErrorCode::kVersionMismatch, "the section's coding is not known", std::string(name_of(id)));
    }
    return section.bytes;
  }
  return corrupt("the section is missing", std::string(name_of(id)));
}

std::vector<std::pair<SectionId, uint64_t>> Container::section_bytes() const {
  std::vector<std::pair<SectionId, uint64_t>> sizes;
  for (const Section& section : sections_) sizes.emplace_back(section.id, section.bytes.size());
  return sizes;
}

}  // namespace souk::index
