// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/feed_daemon.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <random>
#include <utility>

#include "indexer/fetch/backoff.h"
#include "indexer/ingest/feed_argument.h"
#include "indexer/ingest/token.h"
#include "runtime/files/file_sink.h"

namespace souk::ingest {
namespace {

namespace fs = std::filesystem;
using Outcome = FeedRun::Outcome;

constexpr int64_t kRunSeconds = 3600;   // what the brake of the catalogue takes for one run
constexpr int64_t kRereadSeconds = 60;  // between two wishes of a shop
constexpr size_t kMostChecks = 4;
constexpr size_t kMostArrivals = 64;       // each with its files and report
constexpr uint64_t kKeptRevisions = 1000;  // of the change log
constexpr std::chrono::seconds kTick{1};
constexpr uint32_t kLeastPeriod = 60;
constexpr uint32_t kMostPeriod = 604'800;
constexpr size_t kMaxAddress = 2048;

bool is_good_address(const std::string& url) {
  return is_address(url) && url.size() <= kMaxAddress;
}

Status check_schedule(const offers::ShopSettings& settings) {
  if (!settings.feed_url.empty() && !is_good_address(settings.feed_url)) {
    return fail(ErrorCode::kInvalidArgument, "must be an http or https address of at most 2048 bytes", "feed_url");
  }
  if (settings.period_seconds < kLeastPeriod || settings.period_seconds > kMostPeriod) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("must be in {}..{}", kLeastPeriod, kMostPeriod),
                "period_seconds");
  }
  return {};
}

std::chrono::seconds period_of(const offers::Shop& shop) {
  return std::chrono::seconds(shop.settings.period_seconds);
}

std::unexpected<Error> no_such_shop(const std::string& name) {
  return fail(ErrorCode::kNotFound, "there is no such shop", name);
}

}  // namespace

FeedDaemon::FeedDaemon(Settings settings, std::unique_ptr<offers::OfferStore> store, Outside outside,
                       const Clock& clock, obs::Log log)
    : settings_(std::move(settings)),
      outside_(std::move(outside)),
      clock_(clock),
      log_(std::move(log)),
      runs_(settings_.reports_folder),
      store_(std::move(store)) {}

FeedDaemon::~FeedDaemon() {
  stop();
}

Status FeedDaemon::start() {
  auto market = outside_.load_market();
  if (!market) return std::unexpected(market.error());
  market_.set(std::make_shared<const config::Market>(std::move(*market)));
  const auto shops = store_->shops();
  if (!shops) return std::unexpected(shops.error());
  const auto offers = store_->offers();
  if (!offers) return std::unexpected(offers.error());
  std::error_code problem;
  fs::create_directories(settings_.held_folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, problem.message(), settings_.held_folder);
  for (const offers::Shop& shop : *shops) shops_[shop.name].shop = shop;
  remove_held();
  catalogue_ = *offers;
  dirty_ = true;  // what an earlier process took in may not have been built
  pipeline_ = std::make_unique<FeedPipeline>(settings_.pipeline, market_, clock_);
  scheduler_ = std::thread([this] { schedule_loop(); });
  taker_ = std::thread([this] { take_loop(); });
  builder_ = std::thread([this] { build_loop(); });
  return {};
}

void FeedDaemon::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (scheduler_.joinable()) scheduler_.join();
  pipeline_.reset();  // nobody submits any more: all who do look at stopping_ first, under the lock
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return checks_ == 0; });
  }
  if (taker_.joinable()) taker_.join();
  if (builder_.joinable()) builder_.join();
}

// --- the schedule ---

void FeedDaemon::schedule_loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    look_ = false;
    submit_due();
    changed_.wait_for(lock, kTick, [this] { return stopping_ || look_; });
  }
}

void FeedDaemon::look_at_shops() {
  look_ = true;
  changed_.notify_all();
}

// Shops in the order of their time, so that nobody waits for ever when there are more than the pipeline takes.
void FeedDaemon::submit_due() {
  if (arrivals_.size() >= kMostArrivals) return;
  const int64_t now = clock_.unix_seconds();
  std::vector<Entry*> due;
  for (auto& [name, entry] : shops_) {
    const bool is_due = !entry.shop.settings.feed_url.empty() && entry.shop.state.next_fetch <= now;
    if (!entry.reading && (entry.wanted || is_due)) due.push_back(&entry);
  }
  std::ranges::sort(due, {}, [](const Entry* entry) { return entry->shop.state.next_fetch; });
  for (Entry* entry : due) {
    submit(*entry);
    if (!entry->reading) return;
  }
}

void FeedDaemon::submit(Entry& entry) {
  FeedJob job{entry.shop, source_of(entry), false};
  if (job.source.empty()) {
    entry.wanted = false;
    return;
  }
  // Only a feed that was read as it would be read now need not be sent again.
  const std::string same = fingerprint_of(sha256_of(entry.shop.feed_hash), entry.shop.settings.mode, *market_.get());
  job.conditional =
      same == entry.shop.feed_hash && !fetch::is_time_to_send_anew(entry.shop.state.unmodified, period_of(entry.shop));
  entry.reading = pipeline_->submit(std::move(job), [this](FeedArrival&& arrival) { on_arrival(std::move(arrival)); });
  if (entry.reading) entry.wanted = false;
}

// A released feed is the very one that was held, not what is at the address now.
std::string FeedDaemon::source_of(const Entry& entry) const {
  const offers::Hold& hold = entry.shop.state.hold;
  std::error_code problem;
  if (hold.released && fs::exists(held_file(hold), problem)) return held_file(hold);
  return entry.shop.settings.feed_url;
}

std::string FeedDaemon::held_file(const offers::Hold& hold) const {
  return (fs::path(settings_.held_folder) / hold.feed_hash).string();
}

void FeedDaemon::on_arrival(FeedArrival&& arrival) {
  {
    const std::lock_guard lock(mutex_);
    arrivals_.push_back(std::move(arrival));
  }
  changed_.notify_all();
}

// --- taking feeds in ---

void FeedDaemon::take_loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !arrivals_.empty(); });
    if (stopping_) {
      // The pipeline may still wait to hand over: what it brings is dropped, the shop is fetched again next time.
      arrivals_.clear();
      return;
    }
    FeedArrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    lock.unlock();
    take(std::move(arrival));
    lock.lock();
  }
}

void FeedDaemon::take(FeedArrival&& arrival) {
  const std::string name = arrival.job.shop.name;
  const std::lock_guard store_lock(store_mutex_);
  const auto entry = find(name);
  if (!entry) return;
  auto run = apply(arrival, entry->shop);
  if (!run) {
    log_.error(fmt::format("the feed of {} could not be taken: {}", name, to_string(run.error())));
  } else {
    if (const Status kept = runs_.add(*run); !kept) log_.error(to_string(kept.error()));
    const std::string& why = run->note.empty() ? run->report.feed_error.kind : run->note;
    log_.info(fmt::format("{}: {}{}{}", name, to_string(run->outcome), why.empty() ? "" : ": ", why));
  }
  if (const Status read = refresh(name); !read) log_.error(to_string(read.error()));
  keep_held(arrival, entry->shop);
  const auto revision = store_->revision();
  const std::lock_guard lock(mutex_);
  Entry& after = shops_[name];
  after.reading = false;
  after.broken = run ? 0 : after.broken + 1;
  if (!run) {
    after.shop.state.next_fetch = fetch::next_fetch_time(name, period_of(after.shop), {after.broken, {}},
                                                         clock_.unix_seconds(), std::random_device{}());
  }
  // Asked of the store, not of the run: what was committed is built, whatever failed after that.
  if (!revision || *revision != built_revision_) dirty_ = true;
  look_at_shops();  // there is room for another one
}

Result<FeedRun> FeedDaemon::apply(FeedArrival& arrival, const offers::Shop& shop) {
  if (!arrival.read) return std::unexpected(arrival.read.error());
  RunTally tally;
  {
    const std::lock_guard lock(mutex_);
    const int64_t old = clock_.unix_seconds() - kRunSeconds;
    while (!removals_.empty() && removals_.front().first < old) removals_.pop_front();
    for (const auto& [when, removed] : removals_) tally.removed += removed;
    tally.catalogue = catalogue_ + tally.removed;
  }
  const uint64_t before = tally.removed;
  const bool was_fetched = is_address(arrival.job.source);
  const bool failed = was_fetched && arrival.fetched.outcome == fetch::FetchResult::Outcome::kFailed;
  Result<FeedRun> run = FeedRun{};
  if (failed) {
    run->at = clock_.unix_seconds();
    run->report = std::move(arrival.read->report);
    run->outcome = Outcome::kFetchFailed;
  } else {
    run = take_feed(*store_, shop, std::move(*arrival.read), *market_.get(), clock_, tally);
    if (!run) return run;
    if (was_fetched && arrival.fetched.outcome == fetch::FetchResult::Outcome::kNotModified) {
      run->outcome = Outcome::kNotModified;
    }
  }
  const auto current = store_->find_shop(shop.name);
  if (!current) return std::unexpected(current.error());
  if (!*current) return no_such_shop(shop.name);
  const Status saved = store_->save_state(shop.number, next_state(arrival, **current, *run));
  if (!saved) return std::unexpected(saved.error());
  const auto offers = store_->offers();
  if (!offers) return std::unexpected(offers.error());
  const std::lock_guard lock(mutex_);
  catalogue_ = *offers;
  if (tally.removed > before) removals_.emplace_back(run->at, tally.removed - before);
  return run;
}

offers::FeedState FeedDaemon::next_state(const FeedArrival& arrival, const offers::Shop& shop,
                                         const FeedRun& run) const {
  offers::FeedState state = shop.state;
  if (!is_address(arrival.job.source)) {
    // What a person let pass was this one feed: that is over, whatever became of it.
    if (run.outcome != Outcome::kHeld) state.hold = {};
    return state;
  }
  if (arrival.job.source != shop.settings.feed_url) return state;  // the shop has moved meanwhile
  state.fetched = run.at;
  const bool good = run.outcome != Outcome::kFetchFailed && run.outcome != Outcome::kRefused;
  state.failures = good ? 0 : state.failures + 1;
  state.unmodified = run.outcome == Outcome::kNotModified ? state.unmodified + 1 : 0;
  // Validators are those of what is in the catalogue: a feed that was refused or held must be sent again.
  if (run.outcome == Outcome::kIngested || run.outcome == Outcome::kUnchanged) {
    state.etag = arrival.fetched.etag;
    state.last_modified = arrival.fetched.last_modified;
  }
  state.next_fetch = fetch::next_fetch_time(shop.name, period_of(shop), {state.failures, arrival.fetched.retry_after},
                                            run.at, std::random_device{}());
  return state;
}

// The file goes with the hold. before: the shop as it was before this run.
void FeedDaemon::keep_held(const FeedArrival& arrival, const offers::Shop& before) const {
  const auto entry = find(arrival.job.shop.name);
  const offers::Hold hold = entry ? entry->shop.state.hold : offers::Hold();
  std::error_code problem;
  if (!before.state.hold.feed_hash.empty() && before.state.hold.feed_hash != hold.feed_hash) {
    fs::remove(held_file(before.state.hold), problem);
  }
  const bool is_new = !hold.feed_hash.empty() && !fs::exists(held_file(hold), problem);
  if (!is_new || arrival.download.path().empty()) return;
  fs::rename(arrival.download.path(), held_file(hold), problem);
  if (problem) log_.error(fmt::format("a held feed cannot be kept: {}: {}", held_file(hold), problem.message()));
}

void FeedDaemon::remove_held() const {
  std::error_code problem;
  for (const auto& file : fs::directory_iterator(settings_.held_folder, problem)) {
    const bool is_held = std::ranges::any_of(shops_, [&](const auto& each) {
      return each.second.shop.state.hold.feed_hash == file.path().filename().string();
    });
    if (!is_held) fs::remove(file.path(), problem);
  }
}

Status FeedDaemon::refresh(const std::string& shop) {
  const auto current = store_->find_shop(shop);
  if (!current) return std::unexpected(current.error());
  if (!*current) return no_such_shop(shop);
  const std::lock_guard lock(mutex_);
  shops_[shop].shop = **current;
  return {};
}

// --- building ---

void FeedDaemon::build_loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait(lock, [this] { return stopping_ || dirty_; });
    if (stopping_) return;
    dirty_ = false;
    lock.unlock();
    const Status built = build_once();
    if (!built) log_.error("no new generation: " + to_string(built.error()));
    lock.lock();
    if (!built) dirty_ = true;
    changed_.wait_for(lock, settings_.build_period, [this] { return stopping_; });
  }
}

Status FeedDaemon::build_once() {
  auto market = outside_.load_market();
  if (!market) return std::unexpected(market.error());
  market_.set(std::make_shared<const config::Market>(std::move(*market)));
  const std::lock_guard lock(store_mutex_);
  const auto offers = store_->offers();
  if (!offers) return std::unexpected(offers.error());
  if (*offers == 0) return {};  // nothing to serve yet
  const Status built = outside_.build(*store_, *market_.get());
  if (!built) return built;
  const auto revision = store_->revision();
  if (!revision) return std::unexpected(revision.error());
  {
    const std::lock_guard shops_lock(mutex_);
    built_revision_ = *revision;
  }
  // Nobody reads the log yet. Who will, and lags further behind, takes its slots anew.
  return *revision > kKeptRevisions ? store_->trim_changes(*revision - kKeptRevisions) : Status();
}

// --- the shops' service ---

// Regions are looked up in the market file as it is now; those that the shop has already stay, though the market may
// have dropped them.
Status FeedDaemon::check_new_settings(const std::string& shop, const offers::ShopSettings& settings) const {
  if (Status good = check_schedule(settings); !good) return good;
  const auto entry = find(shop);
  if (settings.regions.empty() || (entry && entry->shop.settings.regions == settings.regions)) return {};
  const auto market = outside_.load_market();
  if (!market) return std::unexpected(market.error());
  for (const std::string& region : settings.regions) {
    if (std::ranges::find(market->regions, region, &config::Region::name) != market->regions.end()) continue;
    return fail(ErrorCode::kInvalidArgument, "the market has no region '" + region + "'", "regions");
  }
  return {};
}

Result<FeedDaemon::Entry> FeedDaemon::find(const std::string& shop) const {
  const std::lock_guard lock(mutex_);
  const auto found = shops_.find(shop);
  if (found == shops_.end()) return no_such_shop(shop);
  return found->second;
}

Result<FeedService::Registered> FeedDaemon::register_shop(const std::string& name,
                                                          const offers::ShopSettings& settings) {
  if (Status good = check_shop_name(name); !good) return std::unexpected(good.error());
  if (Status good = check_new_settings(name, settings); !good) return std::unexpected(good.error());
  const auto number = outside_.number_of(name);
  if (!number) return std::unexpected(number.error());
  Registered registered;
  registered.token = make_token();
  offers::ShopSettings with_token = settings;
  with_token.token_hash = hash_of_token(registered.token);
  {
    const std::lock_guard store_lock(store_mutex_);
    auto shop = store_->put_shop(*number, name);
    if (!shop) return std::unexpected(shop.error());
    if (Status saved = ingest::change_settings(*store_, *shop, with_token); !saved) {
      return std::unexpected(saved.error());
    }
    if (Status read = refresh(name); !read) return std::unexpected(read.error());
  }
  auto status = this->status(name);
  if (!status) return std::unexpected(status.error());
  registered.shop = std::move(status->shop);
  const std::lock_guard lock(mutex_);
  dirty_ = true;  // regions of a shop that was there may have changed
  look_at_shops();
  return registered;
}

Result<std::string> FeedDaemon::authenticate(std::string_view token) {
  const std::string hash = hash_of_token(token);
  const std::lock_guard lock(mutex_);
  std::string name;
  for (const auto& [shop, entry] : shops_) {
    if (equal_hashes(entry.shop.settings.token_hash, hash)) name = shop;
  }
  if (name.empty()) return fail(ErrorCode::kNotFound, "no shop has this token");
  return name;
}

Status FeedDaemon::change_settings(const std::string& shop, const offers::ShopSettings& settings) {
  if (Status good = check_new_settings(shop, settings); !good) return good;
  const std::lock_guard store_lock(store_mutex_);
  const auto entry = find(shop);
  if (!entry) return std::unexpected(entry.error());
  offers::ShopSettings after = settings;
  after.token_hash = entry->shop.settings.token_hash;
  if (Status saved = ingest::change_settings(*store_, entry->shop, after); !saved) return saved;
  if (Status read = refresh(shop); !read) return read;
  const std::lock_guard lock(mutex_);
  shops_[shop].wanted = !after.feed_url.empty();
  dirty_ = true;  // regions may have changed
  look_at_shops();
  return {};
}

Result<std::vector<ShopStatus>> FeedDaemon::shops() {
  const std::lock_guard lock(mutex_);
  std::vector<ShopStatus> all;
  for (const auto& [name, entry] : shops_) {
    ShopStatus status{entry.shop, entry.shop.live_offers, entry.reading || entry.wanted};
    status.shop.settings.token_hash.clear();
    all.push_back(std::move(status));
  }
  return all;
}

Result<ShopStatus> FeedDaemon::status(const std::string& shop) {
  const auto entry = find(shop);
  if (!entry) return std::unexpected(entry.error());
  ShopStatus status{entry->shop, entry->shop.live_offers, entry->reading || entry->wanted};
  status.shop.settings.token_hash.clear();
  return status;
}

Result<std::vector<FeedRun>> FeedDaemon::runs(const std::string& shop) {
  if (const auto entry = find(shop); !entry) return std::unexpected(entry.error());
  return runs_.list(shop);
}

Result<FeedRun> FeedDaemon::run(const std::string& shop, uint64_t number) {
  if (const auto entry = find(shop); !entry) return std::unexpected(entry.error());
  return runs_.read(shop, number);
}

Result<feed::Report> FeedDaemon::check(FeedJob job) {
  job.shop.feed_hash.clear();  // read it whatever was read before
  auto promise = std::make_shared<std::promise<FeedArrival>>();
  auto arrived = promise->get_future();
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return fail(ErrorCode::kUnavailable, "the indexer is stopping");
    const bool begun =
        checks_ < kMostChecks &&
        pipeline_->submit(std::move(job), [promise](FeedArrival&& arrival) { promise->set_value(std::move(arrival)); });
    if (!begun) return fail(ErrorCode::kOverloaded, "other feeds are being read; try again later");
    ++checks_;
  }
  FeedArrival arrival = arrived.get();
  {
    const std::lock_guard lock(mutex_);
    --checks_;
  }
  changed_.notify_all();
  if (!arrival.read) return std::unexpected(arrival.read.error());
  return std::move(arrival.read->report);
}

Result<feed::Report> FeedDaemon::check_address(const std::string& shop, const std::string& url) {
  const auto entry = find(shop);
  if (!entry) return std::unexpected(entry.error());
  if (!is_good_address(url)) {
    return fail(ErrorCode::kInvalidArgument, "must be an http or https address of at most 2048 bytes", "url");
  }
  return check({entry->shop, url, false});
}

Result<feed::Report> FeedDaemon::check_body(const std::string& shop, std::string_view body, feed::Mode mode) {
  const auto entry = find(shop);
  if (!entry) return std::unexpected(entry.error());
  auto file = make_work_file(settings_.pipeline.read.work_folder);
  if (!file) return std::unexpected(file.error());
  if (Status done = files::replace_file(file->path(), body); !done) return std::unexpected(done.error());
  offers::Shop as_shop = entry->shop;
  as_shop.settings.mode = mode;
  auto report = check({std::move(as_shop), file->path(), false});
  if (report) report->file.clear();
  return report;
}

Status FeedDaemon::reread(const std::string& shop) {
  const std::lock_guard lock(mutex_);
  const auto found = shops_.find(shop);
  if (found == shops_.end()) return no_such_shop(shop);
  Entry& entry = found->second;
  if (entry.shop.settings.feed_url.empty()) {
    return fail(ErrorCode::kInvalidArgument, "the shop has no feed address", "feed_url");
  }
  const int64_t now = clock_.unix_seconds();
  if (entry.asked > now - kRereadSeconds) return fail(ErrorCode::kOverloaded, "it was asked for a moment ago");
  entry.asked = now;
  entry.wanted = true;
  look_at_shops();
  return {};
}

Status FeedDaemon::release(const std::string& shop) {
  const auto entry = find(shop);
  if (!entry) return std::unexpected(entry.error());
  const std::lock_guard store_lock(store_mutex_);
  const auto current = store_->find_shop(shop);
  if (!current) return std::unexpected(current.error());
  if (!*current || (*current)->state.hold.reason.empty()) {
    return fail(ErrorCode::kNotFound, "nothing of this shop is held", shop);
  }
  offers::FeedState state = (*current)->state;
  state.hold.released = true;
  if (Status saved = store_->save_state((*current)->number, state); !saved) return saved;
  if (Status read = refresh(shop); !read) return read;
  const std::lock_guard lock(mutex_);
  shops_[shop].wanted = true;
  look_at_shops();
  return {};
}

}  // namespace souk::ingest
