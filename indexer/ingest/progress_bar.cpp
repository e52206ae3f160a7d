// SPDX-License-Identifier: Apache-2.0
#include "indexer/ingest/progress_bar.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace souk::ingest {

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_percent_ >= 0) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::show(uint64_t done, uint64_t total) {
  if (!terminal_ || total == 0) return;
  const int percent = static_cast<int>(std::min(done, total) * 100 / total);
  if (percent == shown_percent_) return;
  shown_percent_ = percent;
  const auto filled = static_cast<size_t>(percent / 5);
  fmt::print(stderr, "\r{} [{}{}] {:3} %", label_, std::string(filled, '#'), std::string(20 - filled, ' '), percent);
  std::fflush(stderr);
}

}  // namespace souk::ingest
