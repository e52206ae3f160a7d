// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/texts.h"

#include <algorithm>
#include <array>

namespace souk::partner {

namespace {

constexpr Texts kEnglish{
    .title = "Shop's feed",
    .sign_in = "Sign in",
    .token = "Shop's token",
    .token_help = "The market gave it to you when your shop was registered.",
    .sign_out = "Sign out",
    .wrong_token = "No shop has this token.",
    .too_many_tries = "Too many wrong tokens came from your address. Wait a minute and try again.",
    .foreign_form = "The form did not come from this site. Open the page anew and try again.",
    .signed_out = "You are signed out.",
    .feed = "Feed",
    .address = "Address",
    .by_file = "handed over as a file",
    .mode = "How it is read",
    .strict = "strictly",
    .lenient = "leniently",
    .every = "Read every",
    .minutes = "min",
    .next_reading = "Next reading",
    .reading_now = "under way",
    .failures = "Failures in a row",
    .live_offers = "On sale now",
    .last_run = "Last reading",
    .run = "Reading",
    .no_runs = "Your feed has not been read yet",
    .no_runs_help = "As soon as it has been, this page tells what was taken and what was not.",
    .taken = "Taken",
    .refused = "Refused",
    .warnings = "Warnings",
    .added = "New",
    .changed = "Changed",
    .removed = "Gone",
    .format = "Format",
    .feed_date = "Date in the feed",
    .held_title = "The feed is held",
    .held_help =
        "Buyers see your earlier offers. If the feed is right, ask the market to release it; if it is not, put "
        "it right and let it be read again.",
    .held_released = "The market has released it: it will be taken with the next reading.",
    .since = "Since",
    .refused_title = "The feed is refused",
    .fetch_title = "The feed could not be fetched",
    .earlier_stay = "Buyers see your earlier offers.",
    .check_refused = "This feed would be refused",
    .errors_title = "Offers that were refused",
    .warnings_title = "Taken, with warnings",
    .repairs_title = "Repaired while reading",
    .nothing_wrong = "Nothing is wrong with the offers.",
    .kind = "Fault",
    .count = "How many",
    .meaning = "What it means",
    .line = "Line",
    .offer = "Offer",
    .details = "Details",
    .first_of = "Examples",
    .runs_title = "All readings",
    .when = "When",
    .outcome = "Outcome",
    .read_again = "Read again",
    .check = "Check",
    .check_title = "Check an address",
    .check_help = "The feed is fetched and read as yours; nothing of it is published.",
    .checked = "Check",
    .check_note = "Nothing of it is published.",
    .back = "Back to the report",
    .reread_done = "The feed will be read in a moment. Load this page again to see what came of it.",
    .reread_early = "It can be asked for once a minute. Try again a little later.",
    .busy = "The market is busy. Try again a little later.",
    .failed = "That did not work",
    .no_such_run = "There is no such reading.",
};

constexpr Texts kRussian{
    .title = "Прайс-лист магазина",
    .sign_in = "Войти",
    .token = "Токен магазина",
    .token_help = "Маркет выдал его при регистрации магазина.",
    .sign_out = "Выйти",
    .wrong_token = "Магазина с таким токеном нет.",
    .too_many_tries = "С вашего адреса слишком часто присылали неверный токен. Подождите минуту и попробуйте ещё раз.",
    .foreign_form = "Форма отправлена не с этого сайта. Откройте страницу заново и попробуйте ещё раз.",
    .signed_out = "Вы вышли.",
    .feed = "Прайс-лист",
    .address = "Адрес",
    .by_file = "передаётся файлом",
    .mode = "Как читается",
    .strict = "строго",
    .lenient = "с исправлениями",
    .every = "Читать каждые",
    .minutes = "мин",
    .next_reading = "Следующее чтение",
    .reading_now = "идёт сейчас",
    .failures = "Неудач подряд",
    .live_offers = "Сейчас в продаже",
    .last_run = "Последнее чтение",
    .run = "Чтение",
    .no_runs = "Прайс-лист ещё не читался",
    .no_runs_help = "Как только он будет прочитан, здесь будет видно, что принято, а что нет.",
    .taken = "Принято",
    .refused = "Отклонено",
    .warnings = "Предупреждений",
    .added = "Новых",
    .changed = "Изменилось",
    .removed = "Исчезло",
    .format = "Формат",
    .feed_date = "Дата в прайс-листе",
    .held_title = "Прайс-лист задержан",
    .held_help =
        "Покупатели видят прежние предложения. Если прайс-лист верен, попросите маркет пропустить его; если "
        "нет — исправьте его и отправьте на повторное чтение.",
    .held_released = "Маркет разрешил его: он будет принят при следующем чтении.",
    .since = "С",
    .refused_title = "Прайс-лист отклонён",
    .fetch_title = "Прайс-лист не удалось скачать",
    .earlier_stay = "Покупатели видят прежние предложения.",
    .check_refused = "Этот прайс-лист был бы отклонён",
    .errors_title = "Отклонённые предложения",
    .warnings_title = "Приняты с предупреждениями",
    .repairs_title = "Исправлено при чтении",
    .nothing_wrong = "Замечаний к предложениям нет.",
    .kind = "Ошибка",
    .count = "Сколько",
    .meaning = "Что это значит",
    .line = "Строка",
    .offer = "Предложение",
    .details = "Подробности",
    .first_of = "Примеры",
    .runs_title = "История чтений",
    .when = "Когда",
    .outcome = "Итог",
    .read_again = "Прочитать заново",
    .check = "Проверить",
    .check_title = "Проверить адрес",
    .check_help = "Прайс-лист скачивается и читается как ваш, но не публикуется.",
    .checked = "Проверка",
    .check_note = "Ничего не опубликовано.",
    .back = "К отчёту",
    .reread_done = "Прайс-лист скоро будет прочитан. Обновите страницу, чтобы увидеть итог.",
    .reread_early = "Просить об этом можно раз в минуту. Попробуйте чуть позже.",
    .busy = "Маркет занят. Попробуйте чуть позже.",
    .failed = "Не получилось",
    .no_such_run = "Такого чтения нет.",
};

constexpr std::array kHolds = {
    HoldText{"shop_shrinks", "More than 30 % of your offers would disappear.",
             "Исчезло бы больше 30 % ваших предложений."},
    HoldText{"catalogue_shrinks", "More than 5 % of all the market's offers would disappear at once.",
             "Разом исчезло бы больше 5 % всех предложений маркета."},
    HoldText{"prices_jump", "Most prices have changed by more than a factor of 10.",
             "Большинство цен изменилось более чем в 10 раз."},
    HoldText{"", "The market wants to look at it first.", "Маркет хочет сначала посмотреть на него."},
};

}  // namespace

const Texts& texts(Language language) {
  return language == Language::kRussian ? kRussian : kEnglish;
}

const OutcomeText& outcome_text(ingest::FeedRun::Outcome outcome) {
  static constexpr OutcomeText kTable[] = {
      {"ingested", "taken", "принят", "good"},
      {"unchanged", "unchanged", "без изменений", "good"},
      {"not_modified", "unchanged", "без изменений", "good"},
      {"held", "held", "задержан", "wait"},
      {"refused", "refused", "отклонён", "bad"},
      {"fetch_failed", "not fetched", "не скачан", "bad"},
  };
  return kTable[static_cast<size_t>(outcome)];
}

const HoldText& hold_text(std::string_view reason) {
  const auto found = std::ranges::find(kHolds, reason, &HoldText::name);
  return found == kHolds.end() ? kHolds.back() : *found;
}

}  // namespace souk::partner
