// SPDX-License-Identifier: Apache-2.0
#include "indexer/feed/kinds.h"

#include <algorithm>
#include <array>

namespace souk::feed {
namespace {

constexpr Kind feed(std::string_view name, std::string_view english, std::string_view russian) {
  return {name, Severity::kFeed, english, russian, false};
}
constexpr Kind offer(std::string_view name, std::string_view english, std::string_view russian) {
  return {name, Severity::kOffer, english, russian, false};
}
constexpr Kind warning(std::string_view name, std::string_view english, std::string_view russian) {
  return {name, Severity::kWarning, english, russian, false};
}
constexpr Kind repair(std::string_view name, std::string_view english, std::string_view russian) {
  return {name, Severity::kRepair, english, russian, false};
}
// An error only in a strict reading.
constexpr Kind strict_only(Kind kind) {
  kind.lenient_warning = true;
  return kind;
}

constexpr std::array kKinds{
    feed("bad_encoding", "The bytes of the feed are not text in the encoding that the feed declares.",
         "Байты файла не являются текстом в той кодировке, которая в нём объявлена."),
    feed("bad_gzip", "The gzip archive is damaged.", "Архив gzip повреждён."),
    feed("bad_redirect", "The server redirects to an address that cannot be used.",
         "Сервер перенаправляет на адрес, который нельзя использовать."),
    feed("bad_zip", "The zip archive is damaged.", "Архив zip повреждён."),
    feed("connect_failed", "The server of the feed cannot be reached.", "Не удалось соединиться с сервером файла."),
    feed("dns_failed", "The server's name in the feed's address is not known.",
         "Имя сервера из адреса файла не найдено."),
    feed("dtd_entity_forbidden", "The feed declares entities in its DOCTYPE, which is forbidden.",
         "В DOCTYPE файла объявлены сущности (ENTITY), это запрещено."),
    feed("empty_body", "The feed is empty.", "Файл пуст."),
    feed("forbidden_address", "The feed's address leads into a closed network.", "Адрес файла ведёт в закрытую сеть."),
    feed("http_NNN", "The server answered with an error instead of the feed.", "Сервер ответил ошибкой вместо файла."),
    feed("io_failed", "The feed could not be stored on our side; it will be tried again.",
         "Не удалось сохранить файл на нашей стороне; попытка будет повторена."),
    strict_only(feed("junk_before_xml", "There is other text before the XML, for example a warning of a script.",
                     "Перед XML есть посторонний текст, например предупреждение скрипта.")),
    feed("missing_shop", "The feed has no shop element.", "В файле нет элемента shop."),
    feed("no_valid_offers", "No offer of the feed could be accepted.", "В файле нет ни одного пригодного предложения."),
    feed("not_a_feed", "The file is not a feed of a format that is read here.",
         "Это не файл с предложениями в одном из читаемых форматов."),
    feed("parse_crash", "The feed could not be read to its end.", "Файл не удалось прочитать до конца."),
    feed("parse_timeout", "Reading the feed took too long.", "Чтение файла заняло слишком много времени."),
    feed("short_body", "The server sent less than it announced.", "Сервер передал меньше данных, чем объявил."),
    feed("size_limit", "The feed is larger than what is allowed, packed or unpacked.",
         "Файл превышает допустимый размер, в сжатом или распакованном виде."),
    feed("timeout", "The server did not send the feed in time.", "Сервер не передал файл вовремя."),
    feed("tls_failed", "No secure connection to the server of the feed could be made.",
         "Не удалось установить защищённое соединение с сервером файла."),
    feed("too_many_redirects", "The server redirects too often.", "Слишком много перенаправлений."),
    feed("too_slow", "The server sends the feed too slowly.", "Сервер передаёт файл слишком медленно."),
    strict_only(feed("trailing_junk", "There is other text behind the end of the XML.",
                     "После конца XML есть посторонний текст.")),
    feed("truncated", "The feed ends in the middle, as if it was read while it was written.",
         "Файл обрывается на середине, как будто его прочитали во время записи."),
    feed("truncated_gzip", "The gzip archive ends in the middle.", "Архив gzip обрывается на середине."),
    feed("undefined_entity", "The feed uses an entity that XML does not know, for example &nbsp;.",
         "В файле использована сущность, неизвестная XML, например &nbsp;."),
    feed("unreadable", "The file cannot be read.", "Файл не удаётся прочитать."),
    feed("unsupported_encoding", "The feed declares an encoding that is not read here.",
         "Объявленная в файле кодировка не поддерживается."),
    feed("xml_malformed", "The feed is not well-formed XML: a tag is not closed or a sign is not escaped.",
         "Файл не является правильным XML: не закрыт тег или не экранирован символ."),
    feed("zip_entries", "The zip archive holds none or more than one file.",
         "В архиве zip нет файлов или их больше одного."),

    offer("bad_availability", "The availability is not one of in_stock, out_of_stock, preorder and backorder.",
          "Значение availability не из списка in_stock, out_of_stock, preorder, backorder."),
    offer("bad_price", "The price is not a number with a dot, like 1490.00.",
          "Цена не является числом с точкой, например 1490.00."),
    offer("bad_row", "The row has not the columns of the header, or is not a JSON object with the documented fields.",
          "Строка не соответствует столбцам заголовка или не является объектом JSON с описанными полями."),
    offer("duplicate_id", "An earlier offer of the feed has the same id.",
          "Такой же идентификатор уже есть у предыдущего предложения."),
    offer("id_too_long", "The id of the offer is too long.", "Идентификатор предложения слишком длинный."),
    offer("missing_availability", "The offer has no availability.", "У предложения не указано availability."),
    strict_only(offer("missing_category", "The offer has no category.", "У предложения не указана категория.")),
    strict_only(offer("missing_currency", "The offer has no currency.", "У предложения не указана валюта.")),
    offer("missing_description", "The offer has no description.", "У предложения нет описания."),
    offer("missing_id", "The offer has no id.", "У предложения нет идентификатора."),
    strict_only(offer("missing_model", "The offer has no model.", "У предложения не указана модель.")),
    strict_only(offer("missing_name", "The offer has no name.", "У предложения нет названия.")),
    offer("missing_picture", "The offer has no picture.", "У предложения нет изображения."),
    offer("missing_price", "The offer has no price.", "У предложения нет цены."),
    offer("missing_url", "The offer has no link to its page.", "У предложения нет ссылки на страницу."),
    strict_only(offer("missing_vendor", "The offer has no vendor.", "У предложения не указан производитель.")),
    offer("no_rate", "The market has no exchange rate for the currency of the offer.",
          "Для валюты предложения нет курса."),
    offer("offer_malformed", "The text of the offer is not well-formed XML.",
          "Текст предложения не является правильным XML."),
    offer("price_no_currency", "The price has no currency; it must be written like 15.00 USD.",
          "В цене нет валюты; её следует писать как 15.00 USD."),
    strict_only(offer("unknown_category", "The category of the offer is not in the feed's list.",
                      "Категории предложения нет в списке категорий файла.")),
    strict_only(offer("unknown_currency", "The currency of the offer is not in the feed's list, or is no currency.",
                      "Валюты предложения нет в списке валют файла, или такой валюты нет.")),
    offer("zero_price", "The price is 0.", "Цена равна 0."),

    warning("ampersand_repaired", "A bare & in the text was read as itself; XML wants &amp;.",
            "Символ & в тексте прочитан как есть; в XML нужно писать &amp;."),
    warning("bad_available", "The attribute available is neither true nor false.",
            "Атрибут available не равен true или false."),
    warning("bad_barcode", "The barcode has not 8, 12, 13 or 14 digits, or its check digit is wrong; it was left out.",
            "В штрихкоде не 8, 12, 13 или 14 цифр или неверна контрольная цифра; он пропущен."),
    warning("bad_category", "A category without an id, or with a very long one, was left out.",
            "Категория без идентификатора или со слишком длинным идентификатором пропущена."),
    warning("bad_char_removed", "Characters that XML forbids were removed.", "Удалены символы, запрещённые в XML."),
    warning("bad_condition", "The condition of the goods is not a known one; it was left out.",
            "Состояние товара не из известных; оно пропущено."),
    warning("bad_currency", "A currency of the list is not a code of three letters.",
            "Код валюты в списке состоит не из трёх букв."),
    warning("bad_date", "The date of the feed cannot be read.", "Не удаётся прочитать дату файла."),
    warning("bad_delivery_option", "A delivery option has no readable cost and days; it was left out.",
            "В условии доставки не удаётся прочитать стоимость и срок; оно пропущено."),
    warning("bad_flag", "A value that must be true or false is something else; it was left out.",
            "Значение, которое должно быть true или false, другое; оно пропущено."),
    warning("bad_group_id", "The group id is too long; it was left out.",
            "Идентификатор группы слишком длинный; он пропущен."),
    warning("bad_oldprice", "The old price is not a number above the price; it was left out.",
            "Старая цена не является числом больше цены; она пропущена."),
    warning("bad_picture", "The address of a picture is not an http or https address; it was left out.",
            "Адрес изображения не является адресом http или https; он пропущен."),
    warning("bad_sale_price", "The sale price is not below the price, or cannot be read; it was left out.",
            "Цена со скидкой не меньше цены или не читается; она пропущена."),
    warning("bad_url", "The address is not an http or https address of at most 512 characters.",
            "Адрес не является адресом http или https не длиннее 512 символов."),
    warning("category_cycle", "Categories name each other as parents; those links were cut.",
            "Категории указывают друг на друга как на родительские; эти связи разорваны."),
    warning("category_no_name", "A category has no name.", "У категории нет названия."),
    warning("category_parent_missing", "The parent of a category is not in the list; the category became a root.",
            "Родительской категории нет в списке; категория стала корневой."),
    warning("description_truncated", "The description is too long; it was cut.",
            "Описание слишком длинное; оно сокращено."),
    warning("duplicate_category", "A category is listed more than once; the first one counts.",
            "Категория указана несколько раз; используется первая."),
    warning("duplicate_param", "A parameter is given twice with one value.",
            "Характеристика указана дважды с одним значением."),
    warning("encoding_guessed", "The text is not in the declared encoding; the encoding was guessed.",
            "Текст не в объявленной кодировке; кодировка определена по содержимому."),
    warning("html_entity", "An HTML entity like &nbsp; was read as in HTML; XML does not know it.",
            "Сущность HTML вроде &nbsp; прочитана как в HTML; в XML её нет."),
    warning("late_list", "A list of currencies or categories behind the offers is not read.",
            "Список валют или категорий после предложений не читается."),
    warning("localised_name", "The offer has no name, but one in another language; that one counts.",
            "У предложения нет name, но есть название с указанием языка; использовано оно."),
    warning("missing_availability_date", "An offer that is preorder or backorder has no readable availability_date.",
            "У предложения под заказ нет читаемой даты availability_date."),
    warning("missing_date", "The feed has no date.", "В файле не указана дата."),
    warning("namespace_repaired", "The prefix g: is used but not declared; it was read as Google's.",
            "Префикс g: использован, но не объявлен; он прочитан как префикс Google."),
    warning("nonstandard_date", "The date of the feed is not written like 2026-01-10 12:00.",
            "Дата файла записана не так, как 2026-01-10 12:00."),
    warning("odd_id", "The id of the offer is long or has other signs than Latin letters and digits.",
            "Идентификатор предложения длинный или содержит не только латинские буквы и цифры."),
    warning("param_empty", "A parameter has no value; it was left out.",
            "У характеристики нет значения; она пропущена."),
    warning("param_no_name", "A parameter has no name; it was left out.",
            "У характеристики нет названия; она пропущена."),
    warning("text_truncated", "A text is too long; it was cut.", "Текст слишком длинный; он сокращён."),
    warning("too_many_barcodes", "The offer has too many barcodes; the first ones count.",
            "У предложения слишком много штрихкодов; использованы первые."),
    warning("too_many_delivery_options", "There are more than five delivery options; the first ones count.",
            "Условий доставки больше пяти; использованы первые."),
    warning("too_many_params", "The offer has too many parameters; the first ones count.",
            "У предложения слишком много характеристик; использованы первые."),
    warning("too_many_pictures", "The offer has more than ten pictures; the first ones count.",
            "У предложения больше десяти изображений; использованы первые."),
    warning("unknown_type", "The type of the offer is not known; it was read as one without a type.",
            "Тип предложения неизвестен; оно прочитано как предложение без типа."),

    repair("availability_repaired", "An availability in another spelling was read, for example \"In Stock\".",
           "Прочитано значение availability в другом написании, например «In Stock»."),
    repair("barcode_repaired", "Dashes and blanks were taken out of a barcode.",
           "Из штрихкода убраны дефисы и пробелы."),
    repair("pictures_split", "Several addresses in one picture element were parted at the bar.",
           "Несколько адресов в одном элементе picture разделены по вертикальной черте."),
    repair("price_repaired", "A price with a comma, thousands separators or the currency first was read.",
           "Прочитана цена с запятой, разделителями тысяч или валютой впереди."),
};

constexpr bool before(const Kind& a, const Kind& b) {
  return a.severity != b.severity ? a.severity < b.severity : a.name < b.name;
}
static_assert(std::ranges::is_sorted(kKinds, before));

bool is_http_status(std::string_view name) {
  return name.size() == 8 && name.starts_with("http_") &&
         std::ranges::all_of(name.substr(5), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

const Kind* find_kind(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, is_http_status(name) ? "http_NNN" : name, &Kind::name);
  return found == kKinds.end() ? nullptr : found;
}

std::span<const Kind> all_kinds() {
  return kKinds;
}

}  // namespace souk::feed
