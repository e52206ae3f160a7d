// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/ids.h"

namespace souk::offers {

// Keys of the store. The first byte is the kind; numbers are big-endian, so that byte order is number order.
namespace keys {
inline constexpr char kOfferKind = 'k';
inline constexpr char kLinkKind = 'l';
inline constexpr char kShopKind = 's';
inline constexpr char kCategoryKind = 'C';
inline constexpr char kModelKind = 'm';
inline constexpr char kCountersKind = 'n';

std::string offer(DocKey key);                             // -> OfferRecord
std::string link(DocKey offer);                            // -> LinkRecord, when it ever had a model
std::string offer_id(uint32_t shop, std::string_view id);  // -> KnownRecord
std::string model(DocKey key);                             // -> number: born
std::string category_path(std::string_view identity);      // -> key
std::string category(DocKey key);                          // -> CategoryRecord
std::string shop(uint32_t number);                         // -> ShopRecord
std::string shop_name(std::string_view name);              // -> number
std::string counters(uint16_t slot);                       // -> CountersRecord
std::string changes(uint16_t slot);                        // prefix of
std::string change(uint16_t slot, uint64_t position);      // -> ChangeRecord
std::string totals();                                      // -> TotalsRecord
std::string format();                                      // -> number

std::string number(uint64_t value);
std::optional<uint64_t> parse_number(std::string_view bytes);
}  // namespace keys

// RocksDB with our errors.
class Database {
 public:
  static Result<Database> open(const std::string& folder);
  // As it is now, beside a process that writes it. kNotFound when there is none.
  static Result<Database> open_to_read(const std::string& folder);

  Result<std::optional<std::string>> get(const std::string& key) const;
  // A number stored at key.
  Result<std::optional<uint64_t>> get_number(const std::string& key) const;
  // All entries whose key begins with prefix, in order; each() gets what follows the prefix.
  using Each = std::function<Status(std::string_view key, std::string_view value)>;
  Status scan(const std::string& prefix, const Each& each) const;
  std::unique_ptr<rocksdb::Iterator> iterator() const;
  Status good(const rocksdb::Status& status) const;

  // Whole or not at all, on the disk when it returns.
  Status write(rocksdb::WriteBatch& batch);
  // Takes in files that were written by rocksdb::SstFileWriter with options(), all or none. They may overlap: of equal
  // keys the later file's counts. The files are moved.
  Status ingest(const std::vector<std::string>& files);
  const rocksdb::Options& options() const { return options_; }
  // For files on their way into ingest(); what a killed process left there is deleted by open().
  const std::string& staging_folder() const { return staging_; }
  bool is_read_only() const { return read_only_; }

  std::unexpected<Error> corrupt(std::string what) const;

 private:
  Database(std::unique_ptr<rocksdb::DB> db, std::string folder, bool read_only);

  // false when nothing was written yet.
  Result<bool> has_our_format() const;

  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::Options options_;
  std::string folder_, staging_;
  bool read_only_;
};

}  // namespace souk::offers
