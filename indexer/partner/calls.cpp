// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/calls.h"

namespace souk::partner {

namespace {

constexpr size_t kReadThreads = 2;
constexpr size_t kReadQueue = 64;
constexpr size_t kWriteQueue = 16;
constexpr size_t kCheckThreads = 2;
constexpr size_t kCheckQueue = 4;

}  // namespace

Calls::Calls(std::shared_ptr<ingest::FeedService> service, const Clock& clock)
    : service_(std::move(service)),
      clock_(clock),
      reads_("partner", kReadThreads, kReadQueue, clock),
      writes_("settings", 1, kWriteQueue, clock),
      checks_("check", kCheckThreads, kCheckQueue, clock) {}

Result<ingest::ShopStatus> change_settings(ingest::FeedService& service, const std::string& shop,
                                           const SettingsChange& change) {
  auto status = service.status(shop);
  if (!status) return status;
  change.apply(status->shop.settings);
  if (const Status changed = service.change_settings(shop, status->shop.settings); !changed) {
    return std::unexpected(changed.error());
  }
  return service.status(shop);
}

Result<ingest::FeedService::Registered> put_shop(ingest::FeedService& service, const NewShop& shop) {
  const auto status = service.status(shop.name);
  if (!status && status.error().code != ErrorCode::kNotFound) return std::unexpected(status.error());
  offers::ShopSettings settings;
  if (status) settings = status->shop.settings;
  shop.settings.apply(settings);
  return service.register_shop(shop.name, settings);
}

}  // namespace souk::partner
