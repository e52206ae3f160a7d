// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/codec.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "indexer/input/utf8.h"

namespace souk::feed {
namespace {

constexpr size_t kMaxKind = 64;
constexpr size_t kMaxKinds = 1000;
constexpr size_t kMaxMessage = 2000;

// The parser of protobuf has made sure that texts are UTF-8.
bool fits(const std::string& text, size_t characters) {
  return text.size() <= characters || input::bytes_of_characters(text, characters) == text.size();
}

template <typename Texts>
bool all_fit(const Texts& texts, int most, size_t characters) {
  return texts.size() <= most && std::ranges::all_of(texts, [&](const auto& text) { return fits(text, characters); });
}

std::unexpected<Error> corrupt(const char* what) {
  return fail(ErrorCode::kCorruption, "a record of a read feed is out of bounds", what);
}

void fill_param(ParamRecord& record, const Param& param) {
  record.set_name(param.name);
  record.set_value(param.value);
  if (!param.unit.empty()) record.set_unit(param.unit);
}

template <typename Records>
bool take_params(Records& records, int most, std::vector<Param>& params) {
  if (records.size() > most) return false;
  params.reserve(static_cast<size_t>(records.size()));
  for (ParamRecord& record : records) {
    if (!fits(record.name(), OfferLimits::kParamText) || !fits(record.value(), OfferLimits::kParamText) ||
        !fits(record.unit(), OfferLimits::kShortText)) {
      return false;
    }
    params.push_back(
        {std::move(*record.mutable_name()), std::move(*record.mutable_value()), std::move(*record.mutable_unit())});
  }
  return true;
}

bool is_currency(const std::string& text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_digits(const std::string& text) {
  return !text.empty() && text.size() <= 14 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Sizes and ranges of everything but params and delivery.
const char* problem_of(const FeedOfferRecord& r) {
  if (r.id().empty() || !fits(r.id(), OfferLimits::kId)) return "id";
  if (r.name().empty() || !fits(r.name(), OfferLimits::kName)) return "name";
  for (const std::string* text :
       {&r.type(), &r.vendor(), &r.vendor_code(), &r.model(), &r.group_id(), &r.category_id(), &r.condition()}) {
    if (!fits(*text, OfferLimits::kShortText)) return "text";
  }
  if (!fits(r.url(), OfferLimits::kUrl)) return "url";
  if (!fits(r.description(), OfferLimits::kDescription)) return "description";
  if (!is_currency(r.currency())) return "currency";
  if (!all_fit(r.category_path(), OfferLimits::kCategoryDepth, OfferLimits::kShortText)) return "category_path";
  if (!all_fit(r.pictures(), OfferLimits::kPictures, OfferLimits::kUrl)) return "pictures";
  if (r.barcodes_size() > static_cast<int>(OfferLimits::kBarcodes) || !std::ranges::all_of(r.barcodes(), is_digits)) {
    return "barcodes";
  }
  if (r.price() <= 0 || r.price() > OfferLimits::kPrice) return "price";
  if (r.old_price() < 0 || r.old_price() > OfferLimits::kPrice) return "old_price";
  if (r.availability() > static_cast<uint32_t>(Availability::kBackorder)) return "availability";
  return nullptr;
}

void fill_options(auto& records, const std::vector<DeliveryOption>& options) {
  for (const DeliveryOption& option : options) {
    DeliveryOptionRecord& record = *records.Add();
    record.set_cost(option.cost);
    record.set_days_from(option.days_from);
    record.set_days_to(option.days_to);
    record.set_order_before(option.order_before);
  }
}

bool take_options(const auto& records, std::vector<DeliveryOption>& options) {
  if (records.size() > static_cast<int>(OfferLimits::kDeliveryOptions)) return false;
  for (const DeliveryOptionRecord& record : records) {
    if (record.cost() < 0 || record.cost() > OfferLimits::kPrice || record.days_from() > record.days_to() ||
        record.days_to() > 255 || record.order_before() > 24) {
      return false;
    }
    options.push_back({record.cost(), static_cast<uint16_t>(record.days_from()),
                       static_cast<uint16_t>(record.days_to()), static_cast<uint8_t>(record.order_before())});
  }
  return true;
}

void fill_error(OfferErrorRecord& record, uint64_t line, const std::string& kind, const std::string& message) {
  record.set_line(line);
  record.set_kind(kind);
  record.set_message(message);
}

bool is_sound(const OfferErrorRecord& record) {
  return record.kind().size() <= kMaxKind && record.message().size() <= kMaxMessage &&
         fits(record.id(), OfferLimits::kId);
}

bool take_errors(auto& records, std::vector<OfferError>& errors) {
  if (records.size() > static_cast<int>(Report::kKept)) return false;
  errors.clear();
  errors.reserve(static_cast<size_t>(records.size()));
  for (OfferErrorRecord& record : records) {
    if (!is_sound(record)) return false;
    errors.push_back({record.line(), std::move(*record.mutable_id()), std::move(*record.mutable_kind()),
                      std::move(*record.mutable_message())});
  }
  return true;
}

bool take_counts(const auto& counts, std::map<std::string, uint64_t>& kinds) {
  if (counts.size() > kMaxKinds) return false;
  kinds.clear();
  for (const auto& [kind, count] : counts) {
    if (kind.size() > kMaxKind) return false;
    kinds.emplace(kind, count);
  }
  return true;
}

}  // namespace

void fill_record(FeedOfferRecord& record, const Offer& offer) {
  record.Clear();
  record.set_id(offer.id);
  record.set_line(offer.line);
  record.set_type(offer.type);
  record.set_name(offer.name);
  record.set_url(offer.url);
  record.set_vendor(offer.vendor);
  record.set_vendor_code(offer.vendor_code);
  record.set_model(offer.model);
  record.set_description(offer.description);
  record.set_currency(offer.currency);
  record.set_group_id(offer.group_id);
  record.set_category_id(offer.category_id);
  for (const std::string& name : offer.category_path) record.add_category_path(name);
  for (const std::string& picture : offer.pictures) record.add_pictures(picture);
  for (const std::string& barcode : offer.barcodes) record.add_barcodes(barcode);
  for (const Param& param : offer.params) fill_param(*record.add_params(), param);
  for (const Param& extra : offer.extras) fill_param(*record.add_extras(), extra);
  record.set_condition(offer.condition);
  record.set_price(offer.price);
  record.set_old_price(offer.old_price);
  record.set_availability(static_cast<uint32_t>(offer.availability));
  record.set_adult(offer.adult);
  if (offer.delivery != DeliveryTerms()) fill_record(*record.mutable_delivery(), offer.delivery);
}

Result<Offer> read_record(FeedOfferRecord&& record) {
  if (const char* problem = problem_of(record)) return corrupt(problem);
  Offer offer;
  if (!take_params(*record.mutable_params(), OfferLimits::kParams, offer.params)) return corrupt("params");
  if (!take_params(*record.mutable_extras(), OfferLimits::kExtras, offer.extras)) return corrupt("extras");
  auto delivery = read_record(record.delivery());
  if (!delivery) return std::unexpected(std::move(delivery.error()));
  offer.delivery = std::move(*delivery);
  offer.line = record.line();
  offer.id = std::move(*record.mutable_id());
  offer.type = std::move(*record.mutable_type());
  offer.name = std::move(*record.mutable_name());
  offer.url = std::move(*record.mutable_url());
  offer.vendor = std::move(*record.mutable_vendor());
  offer.vendor_code = std::move(*record.mutable_vendor_code());
  offer.model = std::move(*record.mutable_model());
  offer.description = std::move(*record.mutable_description());
  offer.currency = std::move(*record.mutable_currency());
  offer.group_id = std::move(*record.mutable_group_id());
  offer.category_id = std::move(*record.mutable_category_id());
  for (std::string& name : *record.mutable_category_path()) offer.category_path.push_back(std::move(name));
  for (std::string& picture : *record.mutable_pictures()) offer.pictures.push_back(std::move(picture));
  for (std::string& barcode : *record.mutable_barcodes()) offer.barcodes.push_back(std::move(barcode));
  offer.condition = std::move(*record.mutable_condition());
  offer.price = record.price();
  offer.old_price = record.old_price();
  offer.availability = static_cast<Availability>(record.availability());
  offer.available = offer.availability == Availability::kInStock;
  offer.adult = record.adult();
  return offer;
}

void fill_record(DeliveryRecord& record, const DeliveryTerms& terms) {
  record.Clear();
  if (terms.delivery) record.set_delivery(*terms.delivery);
  if (terms.pickup) record.set_pickup(*terms.pickup);
  if (terms.store) record.set_store(*terms.store);
  fill_options(*record.mutable_delivery_options(), terms.delivery_options);
  fill_options(*record.mutable_pickup_options(), terms.pickup_options);
}

Result<DeliveryTerms> read_record(const DeliveryRecord& record) {
  DeliveryTerms terms;
  if (record.has_delivery()) terms.delivery = record.delivery();
  if (record.has_pickup()) terms.pickup = record.pickup();
  if (record.has_store()) terms.store = record.store();
  if (!take_options(record.delivery_options(), terms.delivery_options) ||
      !take_options(record.pickup_options(), terms.pickup_options)) {
    return corrupt("delivery");
  }
  return terms;
}

void fill_record(FeedHeaderRecord& record, const FeedHeader& header) {
  record.Clear();
  record.set_shop_name(header.shop_name);
  record.set_company(header.company);
  record.set_url(header.url);
  record.set_date(header.date);
  record.set_currency(header.currency);
  if (header.delivery != DeliveryTerms()) fill_record(*record.mutable_delivery(), header.delivery);
}

Result<FeedHeader> read_record(FeedHeaderRecord&& record) {
  for (const std::string* text : {&record.shop_name(), &record.company(), &record.url(), &record.date()}) {
    if (!fits(*text, FeedHeader::kMaxText)) return corrupt("header");
  }
  if (!record.currency().empty() && !is_currency(record.currency())) return corrupt("currency");
  auto delivery = read_record(record.delivery());
  if (!delivery) return std::unexpected(std::move(delivery.error()));
  FeedHeader header;
  header.shop_name = std::move(*record.mutable_shop_name());
  header.company = std::move(*record.mutable_company());
  header.url = std::move(*record.mutable_url());
  header.date = std::move(*record.mutable_date());
  header.currency = std::move(*record.mutable_currency());
  header.delivery = std::move(*delivery);
  return header;
}

void fill_record(ReportRecord& record, const Report& report) {
  record.Clear();
  record.set_mode(static_cast<uint32_t>(report.mode));
  record.set_format(static_cast<uint32_t>(report.format));
  record.set_date(report.date);
  fill_error(*record.mutable_feed_error(), report.feed_error.line, report.feed_error.kind, report.feed_error.message);
  record.set_accepted(report.accepted);
  record.set_rejected(report.rejected);
  record.set_warning_count(report.warning_count);
  for (const OfferError& error : report.errors) {
    OfferErrorRecord& out = *record.add_errors();
    fill_error(out, error.line, error.kind, error.message);
    out.set_id(error.id);
  }
  for (const OfferError& warning : report.warnings) {
    OfferErrorRecord& out = *record.add_warnings();
    fill_error(out, warning.line, warning.kind, warning.message);
    out.set_id(warning.id);
  }
  for (const auto& [kind, count] : report.error_kinds) (*record.mutable_error_kinds())[kind] = count;
  for (const auto& [kind, count] : report.warning_kinds) (*record.mutable_warning_kinds())[kind] = count;
  for (const auto& [kind, count] : report.repairs) (*record.mutable_repairs())[kind] = count;
}

Status read_record(ReportRecord&& record, Report& report) {
  if (record.mode() > static_cast<uint32_t>(Mode::kLenient)) return corrupt("mode");
  if (record.format() > static_cast<uint32_t>(Format::kJsonLines)) return corrupt("format");
  if (!is_sound(record.feed_error())) return corrupt("feed_error");
  if (!fits(record.date(), FeedHeader::kMaxText)) return corrupt("date");
  if (!take_errors(*record.mutable_errors(), report.errors)) return corrupt("errors");
  if (!take_errors(*record.mutable_warnings(), report.warnings)) return corrupt("warnings");
  if (!take_counts(record.error_kinds(), report.error_kinds) ||
      !take_counts(record.warning_kinds(), report.warning_kinds) || !take_counts(record.repairs(), report.repairs)) {
    return corrupt("kinds");
  }
  report.mode = static_cast<Mode>(record.mode());
  report.format = static_cast<Format>(record.format());
  report.date = std::move(*record.mutable_date());
  const OfferErrorRecord& error = record.feed_error();
  report.feed_error = {error.kind(), error.line(), error.message()};
  report.accepted = record.accepted();
  report.rejected = record.rejected();
  report.warning_count = record.warning_count();
  return {};
}

}  // namespace souk::feed
