// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/ids.h"

namespace souk::offers {

// Keys of the store. The first byte is the kind; numbers are big-endian, so that byte order is number order.
namespace keys {
inline constexpr char kOfferKind = 'k';
inline constexpr char kOfferIdKind = 'i';
inline constexpr char kShopKind = 's';
inline constexpr char kCategoryKind = 'C';

std::string offer(DocKey key);                             // -> OfferRecord
std::string offer_id(uint32_t shop, std::string_view id);  // -> key
std::string model(std::string_view identity);              // -> key
std::string category_path(std::string_view identity);      // -> key
std::string category(DocKey key);                          // -> CategoryRecord
std::string shop(uint32_t number);                         // -> ShopRecord
std::string shop_name(std::string_view name);              // -> number
std::string counter(uint16_t slot, KeyType type);          // -> the next local id
std::string revision();                                    // -> number
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
  Status scan(const std::string& prefix, const std::function<Status(std::string_view, std::string_view)>& each) const;
  // Whole or not at all, on the disk when it returns.
  Status write(rocksdb::WriteBatch& batch);

  std::unexpected<Error> corrupt(std::string what) const;

 private:
  Database(std::unique_ptr<rocksdb::DB> db, std::string folder) : db_(std::move(db)), folder_(std::move(folder)) {}

  Result<bool> has_our_format() const;

  std::unique_ptr<rocksdb::DB> db_;
  std::string folder_;
};

}  // namespace souk::offers
