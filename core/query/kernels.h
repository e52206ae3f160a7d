// SPDX-License-Identifier: Apache-2.0
// The loops that most of a query's time goes into, once per instruction set. Every level gives the same results as the
// scalar twin (kernels_scalar.cpp), bit for bit. Each level is a translation unit of its own, compiled for that level;
// it includes nothing but this header and intrinsics, so that no inline function built for a newer CPU can be linked
// elsewhere.
#pragma once

#include <cstdint>
#include <span>

namespace souk::query {

// Arrays that kernels write to must have room for kKernelPad elements more than they are told of; what lies there is
// garbage.
inline constexpr uint32_t kKernelPad = 64;
inline constexpr uint32_t kNotFound = 0xFFFFFFFF;

// Scores and `least` are below 2^31.
struct Kernels {
  const char* name;  // "scalar", "v3" (AVX2), "v4" (AVX-512 with VBMI2)

  // Postings of an array chunk whose impact x weight >= least: their documents (base | docs[i]) and scores, in order.
  // Returns how many. least = 0 keeps all.
  uint32_t (*emit_array)(const uint16_t* docs, const uint8_t* impacts, uint32_t count, uint32_t weight, uint32_t base,
                         uint32_t least, uint32_t* out_docs, uint32_t* out_scores);
  // The same for a bitmap of `words` words; impacts has one byte per set bit. base = the first bit's document.
  uint32_t (*emit_bits)(const uint64_t* bits, const uint8_t* impacts, uint32_t words, uint32_t weight, uint32_t base,
                        uint32_t least, uint32_t* out_docs, uint32_t* out_scores);
  // Keeps (in place, in order) what scores at least `least`. Returns how many.
  uint32_t (*keep_at_least)(uint32_t* docs, uint32_t* scores, uint32_t count, uint32_t least);
  // Where each of the ascending docs (their low 16 bits count) stands in an array chunk: its place, or kNotFound.
  void (*locate_in_array)(const uint32_t* docs, uint32_t count, const uint16_t* list, uint32_t list_count,
                          uint32_t* places);
  // The same where the list says, for each run of 1 << bits documents, where it begins there, and at last its count.
  void (*locate_in_buckets)(const uint32_t* docs, uint32_t count, const uint16_t* list, const uint16_t* starts,
                            uint32_t bits, uint32_t* places);
  // The same in a bitmap chunk: its rank among the set bits.
  void (*locate_in_bits)(const uint32_t* docs, uint32_t count, const uint64_t* bits, const uint16_t* ranks,
                         uint32_t* places);
  // sums[i] += impact x weight for each set bit i of 64 words.
  void (*add_bits)(const uint64_t* bits, const uint8_t* impacts, uint32_t weight, uint32_t* sums);
  // Documents (base + i) whose sums[i], i < 4096, is at least `least` (> 0), with the sums; then all sums are zero.
  uint32_t (*take_sums)(uint32_t* sums, uint32_t base, uint32_t least, uint32_t* out_docs, uint32_t* out_scores);
};

// Only to be used where the CPU has the level.
extern const Kernels kScalarKernels, kV3Kernels, kV4Kernels;

// The levels that this CPU (and its operating system) has, the best one last; never empty.
std::span<const Kernels* const> available_kernels();
inline const Kernels& best_kernels() {
  return *available_kernels().back();
}

}  // namespace souk::query
