// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "bench/micro/micro.h"
#include "core/query/kernels.h"
#include "core/query/scratch.h"
#include "core/query/search.h"

namespace souk::bench {

namespace {

template <typename Loop>
void add(const std::string& name, Loop loop) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    uint64_t items = 0;
    for (auto iteration : state) items += loop();
    state.SetItemsProcessed(static_cast<int64_t>(items));
  });
}

// The list of that kind with the most postings.
std::optional<uint32_t> longest(const index::PostingLists& lists, index::ListKind kind) {
  std::optional<uint32_t> best;
  for (uint32_t list = 0; list < lists.size(); ++list) {
    if (lists.kind(list) == kind && (!best || lists.entry(list).df > lists.entry(*best).df)) best = list;
  }
  return best;
}

// Short lists are the only ones that are decoded; whole chunked lists, for comparison, are as the oracle reads them.
void register_decode(const index::PostingLists& lists) {
  if (const auto list = longest(lists, index::ListKind::kShort)) {
    const auto docs = std::make_shared<std::vector<uint16_t>>(index::kMostInShortList + 32);
    const auto views = std::make_shared<std::vector<index::ChunkView>>();
    add(fmt::format("decode_short/{}", lists.entry(*list).df), [=, &lists] {
      views->clear();
      lists.unpack(*list, docs->data(), *views);
      benchmark::DoNotOptimize(docs->front());
      return lists.entry(*list).df;
    });
  }
  if (const auto list = longest(lists, index::ListKind::kChunked)) {
    add(fmt::format("decode_chunked/{}", lists.entry(*list).df), [=, &lists] {
      const index::DecodedList decoded = lists.decode(*list);
      benchmark::DoNotOptimize(decoded.docs.front());
      return decoded.docs.size();
    });
  }
}

// A request without words, which every document matches, so that what is done with matches is all the work.
void add_browse(const SoukIndex& index, const std::string& name, const wire::ShardRequest& request) {
  for (const query::Kernels* kernels : query::available_kernels()) {
    const auto scratch = std::make_shared<query::Scratch>();
    add(fmt::format("{}/{}", name, kernels->name), [=, &index] {
      const query::ShardView view{index.shard(), index.dictionary()};
      const query::Stop stop{real_clock(), Deadline::never()};
      const auto reply = query::search(view, request, stop, *kernels, *scratch);
      SOUK_CHECK(reply && reply->total_offers() == index.shard().documents());
      return index.shard().documents();
    });
  }
}

void register_top(const SoukIndex& index) {
  for (const auto& [name, group] : {std::pair("offers", wire::GROUP_OFFER), std::pair("models", wire::GROUP_MODEL)}) {
    for (const uint32_t limit : {0U, 10U, 1000U}) {
      wire::ShardRequest request;
      request.set_sort(wire::SORT_PRICE);
      request.set_group(group);
      request.set_limit(limit);
      add_browse(index, fmt::format("top_k/{}/{}", name, limit), request);
    }
  }
}

void register_facets(const SoukIndex& index) {
  for (const auto& [name, kind] : {std::pair("category", wire::FACET_CATEGORY), std::pair("vendor", wire::FACET_VENDOR),
                                   std::pair("price", wire::FACET_PRICE)}) {
    wire::ShardRequest request;
    request.set_group(wire::GROUP_OFFER);
    request.add_facets()->set_kind(kind);
    add_browse(index, fmt::format("facet_count/{}", name), request);
  }
}

}  // namespace

void register_index(const SoukIndex& index) {
  register_decode(index.shard().main());
  register_top(index);
  register_facets(index);
}

}  // namespace souk::bench
