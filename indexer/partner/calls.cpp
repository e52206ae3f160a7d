// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/calls.h"

namespace souk::partner {

namespace {

constexpr size_t kDiskThreads = 2;
constexpr size_t kDiskQueue = 64;
constexpr size_t kCheckThreads = 2;
constexpr size_t kCheckQueue = 4;

}  // namespace

Calls::Calls(std::shared_ptr<ingest::FeedService> service, const Clock& clock)
    : service_(std::move(service)),
      clock_(clock),
      disk_("partner", kDiskThreads, kDiskQueue, clock),
      checks_("check", kCheckThreads, kCheckQueue, clock) {}

Result<ingest::ShopStatus> SettingsWriter::change(ingest::FeedService& service, const std::string& shop,
                                                  const SettingsChange& change) {
  const std::lock_guard lock(mutex_);
  auto status = service.status(shop);
  if (!status) return status;
  change.apply(status->shop.settings);
  if (const Status changed = service.change_settings(shop, status->shop.settings); !changed) {
    return std::unexpected(changed.error());
  }
  return service.status(shop);
}

Result<ingest::FeedService::Registered> SettingsWriter::put(ingest::FeedService& service, const NewShop& shop) {
  const std::lock_guard lock(mutex_);
  const auto status = service.status(shop.name);
  if (!status && status.error().code != ErrorCode::kNotFound) return std::unexpected(status.error());
  offers::ShopSettings settings;
  if (status) settings = status->shop.settings;
  shop.settings.apply(settings);
  return service.register_shop(shop.name, settings);
}

}  // namespace souk::partner
