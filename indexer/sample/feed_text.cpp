// SPDX-License-Identifier: Apache-2.0
#include "indexer/sample/feed_text.h"

#include <fmt/core.h>
#include <zlib.h>

#include <utility>

#include "core/base/error.h"

namespace souk::sample {
namespace {

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string money(int64_t kopecks) {
  if (kopecks % 100 == 0) return fmt::format("{}", kopecks / 100);
  return fmt::format("{}.{:02}", kopecks / 100, kopecks % 100);
}

// Category ids of a shop: departments are hundreds, kinds count from them.
size_t department_id(size_t department) {
  return (department + 1) * 100;
}
size_t kind_id(size_t department, size_t kind) {
  return department_id(department) + kind + 1;
}

// Writes one shop's offers. It only collects text; what is written where is decided here, once, for all shops.
class FeedText {
 public:
  FeedText(const ShopSpec& shop, std::string& out) : shop_(shop), out_(out) {}

  void head() {
    const std::string_view encoding = shop_.encoding == Encoding::kUtf8 ? "UTF-8" : "windows-1251";
    add("<?xml version=\"1.0\" encoding=\"{}\"?>\n<!DOCTYPE yml_catalog SYSTEM \"shops.dtd\">\n", encoding);
    add("<yml_catalog date=\"2026-11-01 06:00\">\n<shop>\n");
    element("name", shop_.name);
    element("company", shop_.company);
    element("url", fmt::format("https://{}/", shop_.host));
    add("<currencies><currency id=\"RUB\" rate=\"1\"/>{}</currencies>\n<categories>\n",
        shop_.currency == "RUB" ? ""
                                : fmt::format("<currency id=\"{}\" rate=\"{}\"/>", shop_.currency, money(shop_.rate)));
    for (size_t d = 0; d < departments().size(); ++d) {
      const Department& department = departments()[d];
      add("<category id=\"{}\">{}</category>\n", department_id(d), escape(text(department.name)));
      for (size_t k = 0; k < department.kinds.size(); ++k) {
        add("<category id=\"{}\" parentId=\"{}\">{}</category>\n", kind_id(d, k), department_id(d),
            escape(text(department.kinds[k].category)));
      }
    }
    add("</categories>\n");
    delivery();
    add("<offers>\n");
  }

  void offer(const ShopOffer& offer) {
    const Model& model = *offer.model;
    const bool vendor_model = shop_.style == TitleStyle::kVendorModel && model.exact_name.ru.empty();
    add("<offer id=\"{}\"{}{} available=\"{}\">\n", offer.id, vendor_model ? " type=\"vendor.model\"" : "",
        offer.group_id.empty() ? "" : fmt::format(" group_id=\"{}\"", offer.group_id), offer.available);
    element("url", fmt::format("https://{}/p/{}", shop_.host, offer.id));
    element("price", money(offer.price));
    if (offer.old_price != 0) element("oldprice", money(offer.old_price));
    element("currencyId", shop_.currency);
    element("categoryId", fmt::format("{}", kind_id(model.department, model.kind)));
    element("picture", fmt::format("https://{}/img/{}.jpg", shop_.host, offer.id));
    if (vendor_model) element("typePrefix", text(model.noun));
    if (!vendor_model) element("name", title(offer));
    element("vendor", model.brand);
    if (!model.vendor_code.empty()) element("vendorCode", model.vendor_code);
    if (vendor_model) element("model", line(model) + title_params(offer, ", "));
    description(offer);
    if (!model.barcode.empty()) element("barcode", model.barcode);
    for (size_t i = 0; i < model.params.size(); ++i) param(offer, i);
    add("</offer>\n");
  }

  // With roubles as the main currency the shop's costs are in them.
  void delivery() {
    const int64_t cost = shop_.delivery_cost * shop_.rate / 100;
    add("<delivery-options><option cost=\"{}\" days=\"{}\"/></delivery-options>\n", cost, cost == 0 ? "3-5" : "1-2");
    if (shop_.pickup) add("<pickup>true</pickup>\n<pickup-options><option cost=\"0\" days=\"1\"/></pickup-options>\n");
  }

  void tail() { add("</offers>\n</shop>\n</yml_catalog>\n"); }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
  }
  void element(std::string_view name, std::string_view content) { add("<{0}>{1}</{0}>\n", name, escape(content)); }
  std::string_view text(const Text& both) const { return both.in(shop_.language); }

  // The variants of a model differ in its first param.
  static const Text& value(const ShopOffer& offer, size_t index) {
    const Model::Choice& choice = offer.model->params[index];
    return choice.spec->values[(choice.value + (index == 0 ? offer.variant : 0)) % choice.spec->values.size()];
  }

  std::string line(const Model& model) const {
    std::string out(text(model.series));
    if (!model.number.empty()) out += " " + model.number;
    return out;
  }

  std::string title_params(const ShopOffer& offer, std::string_view before) const {
    std::string out;
    for (size_t i = 0; i < offer.model->params.size(); ++i) {
      const ParamSpec& spec = *offer.model->params[i].spec;
      if (!spec.in_title && !(i == 0 && offer.model->variants > 1)) continue;
      out += out.empty() ? before : std::string_view(", ");
      out += text(value(offer, i));
      if (spec.in_title && !text(spec.unit).empty()) out += fmt::format(" {}", text(spec.unit));
    }
    return out;
  }

  std::string title(const ShopOffer& offer) const {
    const Model& model = *offer.model;
    if (!model.exact_name.ru.empty()) return std::string(text(model.exact_name));
    const bool with_brand = departments()[model.department].brand_in_title;
    std::string name;
    if (shop_.language == Language::kEnglish) {
      name =
          fmt::format("{}{}{} {}", with_brand ? model.brand : "", with_brand ? " " : "", line(model), text(model.noun));
    } else if (shop_.style == TitleStyle::kBrandLast && with_brand) {
      name = fmt::format("{} {} {}", text(model.noun), line(model), model.brand);
    } else {
      name =
          fmt::format("{} {}{}{}", text(model.noun), with_brand ? model.brand : "", with_brand ? " " : "", line(model));
    }
    return name + title_params(offer, ", ");
  }

  void description(const ShopOffer& offer) {
    const Model& model = *offer.model;
    if (model.params.size() % 2 == 0) {
      add("<description><![CDATA[<p>{}</p><ul><li>{}</li></ul>]]></description>\n", text(model.sentence),
          text(model.closing));
    } else {
      element("description", fmt::format("{} {}", text(model.sentence), text(model.closing)));
    }
  }

  void param(const ShopOffer& offer, size_t index) {
    const ParamSpec& spec = *offer.model->params[index].spec;
    const std::string_view unit = text(spec.unit);
    add("<param name=\"{}\"{}>{}</param>\n", escape(text(spec.name)),
        unit.empty() ? "" : fmt::format(" unit=\"{}\"", escape(unit)), escape(text(value(offer, index))));
  }

  const ShopSpec& shop_;
  std::string& out_;
};

}  // namespace

std::string feed_text(const ShopSpec& shop, const std::vector<ShopOffer>& offers) {
  std::string out;
  FeedText feed(shop, out);
  feed.head();
  for (const ShopOffer& offer : offers) feed.offer(offer);
  feed.tail();
  return out;
}

std::string to_windows_1251(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (size_t i = 0; i < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    const size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    uint32_t code = length == 1 ? byte : byte & (0xFFU >> (length + 1));
    for (size_t k = 1; k < length; ++k) code = (code << 6) | (static_cast<unsigned char>(utf8[i + k]) & 0x3FU);
    i += length;
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code >= 0x410 && code <= 0x44F) {
      out += static_cast<char>(code - 0x410 + 0xC0);
    } else if (code == 0x401 || code == 0x451) {
      out += static_cast<char>(code == 0x401 ? 0xA8 : 0xB8);
    } else if (code == 0xAB || code == 0xBB) {  // the quotation marks are where Latin-1 has them
      out += static_cast<char>(code);
    } else {
      out += fmt::format("&#{};", code);
    }
  }
  return out;
}

std::string to_gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;
  SOUK_CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  SOUK_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace souk::sample
