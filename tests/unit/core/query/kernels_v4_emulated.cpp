// SPDX-License-Identifier: Apache-2.0
// core/query/kernels_v4.cpp itself, compiled for any x86-64: its instructions are those of SIMDe, one by one in plain
// C. So what it computes is tested where no CPU has AVX-512.
#include "tests/unit/core/query/kernels_v4_emulated.h"

// First, so that including it again gives nothing: the names below are then not those of the CPU's instructions.
#include <immintrin.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512/add.h>
#include <simde/x86/avx512/cmpge.h>
#include <simde/x86/avx512/compress.h>
#include <simde/x86/avx512/loadu.h>
#include <simde/x86/avx512/mullo.h>
#include <simde/x86/avx512/or.h>
#include <simde/x86/avx512/popcnt.h>
#include <simde/x86/avx512/set1.h>
#include <simde/x86/avx512/setr.h>
#include <simde/x86/avx512/setzero.h>
#include <simde/x86/avx512/store.h>
#include <simde/x86/avx512/storeu.h>

#include <array>
#include <bit>

namespace {

// What SIMDe of Debian 12 (0.7.4) lacks, after Intel's descriptions.
template <typename T>
using Lanes = std::array<T, 64 / sizeof(T)>;

simde__m512i widen(const auto& narrow) {
  Lanes<uint32_t> wide;
  for (size_t i = 0; i < wide.size(); ++i) wide[i] = narrow[i];
  return std::bit_cast<simde__m512i>(wide);
}
simde__m512i emulated_cvtepu16_epi32(simde__m256i a) {
  return widen(std::bit_cast<std::array<uint16_t, 16>>(a));
}
simde__m512i emulated_cvtepu8_epi32(simde__m128i a) {
  return widen(std::bit_cast<std::array<uint8_t, 16>>(a));
}

simde__m512i emulated_maskz_expand_epi8(uint64_t mask, simde__m512i a) {
  const auto from = std::bit_cast<Lanes<uint8_t>>(a);
  Lanes<uint8_t> to{};
  size_t next = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    if ((mask >> i & 1) != 0) to[i] = from[next++];
  }
  return std::bit_cast<simde__m512i>(to);
}

simde__m512i emulated_maskz_loadu_epi64(uint8_t mask, const uint64_t* from) {
  Lanes<uint64_t> to{};
  for (size_t i = 0; i < to.size(); ++i) {
    if ((mask >> i & 1) != 0) to[i] = from[i];  // the others are not touched
  }
  return std::bit_cast<simde__m512i>(to);
}

uint32_t emulated_cmpeq_epi16_mask(simde__m512i a, simde__m512i b) {
  const auto left = std::bit_cast<Lanes<uint16_t>>(a), right = std::bit_cast<Lanes<uint16_t>>(b);
  uint32_t mask = 0;
  for (size_t i = 0; i < left.size(); ++i) mask |= uint32_t{left[i] == right[i]} << i;
  return mask;
}

// The name that SIMDe gives this one takes an argument too many.
uint16_t emulated_mask_cmpge_epu32_mask(uint16_t mask, simde__m512i a, simde__m512i b) {
  return simde_mm512_mask_cmpge_epu32_mask(mask, a, b);
}

uint8_t emulated_cmplt_epu64_mask(simde__m512i a, simde__m512i b) {
  const auto left = std::bit_cast<Lanes<uint64_t>>(a), right = std::bit_cast<Lanes<uint64_t>>(b);
  uint32_t mask = 0;
  for (size_t i = 0; i < left.size(); ++i) mask |= uint32_t{left[i] < right[i]} << i;
  return static_cast<uint8_t>(mask);
}

long long emulated_reduce_add_epi64(simde__m512i a) {
  uint64_t sum = 0;
  for (const uint64_t lane : std::bit_cast<Lanes<uint64_t>>(a)) sum += lane;
  return static_cast<long long>(sum);
}

uint32_t emulated_tzcnt_u32(uint32_t a) {
  return static_cast<uint32_t>(std::countr_zero(a));
}
uint64_t emulated_bzhi_u64(uint64_t a, uint32_t bits) {
  return bits % 256 >= 64 ? a : a & ((uint64_t{1} << bits % 256) - 1);
}

}  // namespace

#undef _mm512_cmpeq_epi16_mask
#undef _mm512_cmplt_epu64_mask
#undef _mm512_mask_cmpge_epu32_mask
#undef _tzcnt_u32
#define _mm512_cvtepu16_epi32 emulated_cvtepu16_epi32
#define _mm512_cvtepu8_epi32 emulated_cvtepu8_epi32
#define _mm512_maskz_expand_epi8 emulated_maskz_expand_epi8
#define _mm512_maskz_loadu_epi64 emulated_maskz_loadu_epi64
#define _mm512_cmpeq_epi16_mask emulated_cmpeq_epi16_mask
#define _mm512_cmplt_epu64_mask emulated_cmplt_epu64_mask
#define _mm512_mask_cmpge_epu32_mask emulated_mask_cmpge_epu32_mask
#define _mm512_reduce_add_epi64 emulated_reduce_add_epi64
#define _tzcnt_u32 emulated_tzcnt_u32
#define _bzhi_u64 emulated_bzhi_u64
#define kV4Kernels kV4KernelsUnnamed  // NOLINT(bugprone-macro-parentheses): a name

namespace souk::query {
extern const Kernels kV4KernelsUnnamed;
}

#include "core/query/kernels_v4.cpp"

namespace souk::query {

const Kernels& v4_emulated_kernels() {
  static const Kernels kernels = [] {
    Kernels named = kV4KernelsUnnamed;
    named.name = "v4_emulated";
    return named;
  }();
  return kernels;
}

std::vector<const Kernels*> tested_kernels() {
  std::vector<const Kernels*> levels(available_kernels().begin(), available_kernels().end());
  levels.push_back(&v4_emulated_kernels());
  return levels;
}

}  // namespace souk::query
