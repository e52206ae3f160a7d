// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pqxx/pqxx>
#include <string>

#include "indexer/offers/postgres_session.h"
#include "indexer/offers/storage.h"

namespace souk::offers {

// Rows for one statement, sent when they are many.
class RowBatch {
 public:
  // INSERT INTO … VALUES, what follows the rows.
  RowBatch(const char* head, const char* tail) : head_(head), tail_(tail) {}

  // Begins a row; the caller adds "value,value)".
  std::string& row(pqxx::transaction_base& work);
  void send(pqxx::transaction_base& work);

 private:
  const char* head_;
  const char* tail_;
  std::string statement_;
  size_t rows_ = 0;
};

class PostgresTransaction final : public Transaction {
 public:
  // May throw what guarded() takes.
  explicit PostgresTransaction(pqxx::connection& connection);

  Status put_offer(const OfferRow& row) override;
  Status put_link(DocKey offer, const Link& link) override;
  Status put_category(DocKey key, const std::string& identity, std::span<const std::string> path) override;
  Status put_model(const StoredModel& model) override;
  Status put_change(uint16_t slot, const Change& change) override;
  Status put_counters(uint16_t slot, const SlotCounters& counters) override;
  Status put_totals(const Totals& totals) override;
  Status put_shop(const Shop& shop) override;
  Status commit() override;

 private:
  pqxx::work work_;
  RowBatch offers_, links_, categories_, models_, changes_, counters_;
};

// What the unique index over categories holds: identities can be longer than an index takes.
std::string identity_sha256(const std::string& identity);

}  // namespace souk::offers
