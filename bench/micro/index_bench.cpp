// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bench/datasets/random.h"
#include "bench/micro/micro.h"
#include "core/query/facet_counts.h"
#include "core/query/kernels.h"
#include "core/query/scratch.h"
#include "core/query/top_rows.h"

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

// Every tenth document of the shard.
std::vector<uint32_t> some_documents(const index::ShardIndex& shard) {
  std::vector<uint32_t> docs;
  for (uint32_t doc = 0; doc < shard.documents(); doc += 10) docs.push_back(doc);
  return docs;
}

void register_top(const index::ShardIndex& shard) {
  const auto docs = std::make_shared<std::vector<uint32_t>>(some_documents(shard));
  const auto orders = std::make_shared<std::vector<int64_t>>();
  Random random(1);
  for (size_t i = 0; i < docs->size(); ++i) orders->push_back(static_cast<int64_t>(random.below(3'000'000)));
  for (const uint32_t limit : {10U, 1000U}) {
    add(fmt::format("top_k/{}", limit), [=, &shard] {
      query::TopRows rows(shard, limit, nullptr, true);
      for (size_t i = 0; i < docs->size(); ++i) {
        const uint32_t doc = (*docs)[i];
        if (!rows.wants((*orders)[i], doc)) continue;
        rows.add({.order = (*orders)[i], .doc = doc, .group = static_cast<uint32_t>(shard.group_of()[doc])});
      }
      benchmark::DoNotOptimize(rows.take());
      return docs->size();
    });
  }
}

void register_facets(const SoukIndex& index) {
  const auto docs = std::make_shared<std::vector<uint32_t>>(some_documents(index.shard()));
  const auto scratch = std::make_shared<query::Scratch>();
  const auto view = std::make_shared<query::ShardView>(index.shard(), index.dictionary());
  for (const auto& [name, kind] : {std::pair("category", wire::FACET_CATEGORY), std::pair("vendor", wire::FACET_VENDOR),
                                   std::pair("price", wire::FACET_PRICE)}) {
    const auto request = std::make_shared<wire::ShardRequest>();
    request->add_facets()->set_kind(kind);
    add(fmt::format("facet_count/{}", name), [=] {
      query::FacetCounts facets(*view, *request, *scratch);
      for (size_t from = 0; from < docs->size(); from += query::kMostInBatch) {
        query::Batch& batch = scratch->batch;
        batch.count = static_cast<uint32_t>(std::min<size_t>(query::kMostInBatch, docs->size() - from));
        std::copy_n(docs->begin() + static_cast<ptrdiff_t>(from), batch.count, batch.docs.begin());
        facets.count(false);
      }
      wire::ShardReply reply;
      facets.finish(reply);
      benchmark::DoNotOptimize(reply.facets_size());
      return docs->size();
    });
  }
}

}  // namespace

void register_index(const SoukIndex& index) {
  register_decode(index.shard().main());
  register_top(index.shard());
  register_facets(index);
}

}  // namespace souk::bench
