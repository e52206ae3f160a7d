// SPDX-License-Identifier: Apache-2.0
#include "indexer/offers/relink.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/placement/slots.h"

namespace souk::offers {
namespace {
constexpr size_t kBatch = 1024;
}  // namespace

Result<std::unique_ptr<ModelRelink>> ModelRelink::begin(Storage& storage, std::shared_ptr<void> lease) {
  auto transaction = storage.begin();
  if (!transaction) return std::unexpected(transaction.error());
  const auto totals = storage.totals();
  if (!totals) return std::unexpected(totals.error());
  return std::unique_ptr<ModelRelink>(new ModelRelink(std::move(lease), storage, std::move(*transaction), *totals));
}

Result<DocKey> ModelRelink::new_model(const std::string& slot_name) {
  if (ended_) return fail(ErrorCode::kInternal, "a relink was used after its end");
  const auto model = log_.allot_model(placement::slot_of_name(slot_name));
  if (!model) return std::unexpected(model.error());
  const Status put = transaction_->put_model(*model);
  if (!put) return std::unexpected(put.error());
  return model->key;
}

Status ModelRelink::link(DocKey offer, DocKey model, LinkReason reason) {
  if (ended_) return fail(ErrorCode::kInternal, "a relink was used after its end");
  if (static_cast<bool>(model) != (reason.kind != LinkReason::Kind::kNone)) {
    return fail(ErrorCode::kInvalidArgument, "a link has a reason exactly when it has a model", to_string(offer));
  }
  offers_.push_back(offer);
  links_.push_back({model, std::move(reason)});
  return offers_.size() < kBatch ? Status() : flush();
}

Status ModelRelink::flush() {
  Status done = flush_waiting();
  if (!done) ended_ = true;
  offers_.clear();
  links_.clear();
  return done;
}

Status ModelRelink::flush_waiting() {
  if (offers_.empty()) return {};
  const auto before = storage_.links(offers_);
  if (!before) return std::unexpected(before.error());
  for (size_t i = 0; i < offers_.size(); ++i) {
    const std::optional<Link>& known = (*before)[i];
    if (!known) return fail(ErrorCode::kInvalidArgument, "a link of an offer that never was", to_string(offers_[i]));
    if (*known == links_[i]) continue;
    Status put = transaction_->put_link(offers_[i], links_[i]);
    if (put) put = log_.log(*transaction_, offers_[i], Change::Kind::kLinked);
    if (!put) return put;
    ++changed_;
  }
  return {};
}

Result<uint64_t> ModelRelink::commit() {
  if (ended_) return fail(ErrorCode::kInternal, "a relink was used after its end");
  auto done = do_commit();
  ended_ = true;
  transaction_.reset();
  lease_.reset();
  return done;
}

Result<uint64_t> ModelRelink::do_commit() {
  const Status flushed = flush();
  if (!flushed) return std::unexpected(flushed.error());
  if (changed_ == 0) return 0;
  Status done = log_.write(*transaction_, 0, true);
  if (done) done = transaction_->commit();
  if (!done) return std::unexpected(done.error());
  return changed_;
}

}  // namespace souk::offers
