// SPDX-License-Identifier: Apache-2.0
// Any bytes through the input stage, in both modes, a zip archive from a file: what comes out is well-formed UTF-8,
// repaired text is XML's characters only, and where the blocks are cut changes nothing.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "indexer/input/decode.h"
#include "indexer/input/repair.h"
#include "indexer/input/unpack.h"
#include "indexer/input/utf8.h"
#include "indexer/input/zip.h"

namespace {

using namespace souk::input;

constexpr uint64_t kMaxBytes = 4 << 20;

struct Passed {
  std::string text;
  std::vector<std::string> warnings;
  Fault fault;
  bool good = false;
};

// Appends whole characters only.
Sink collect(Passed& passed) {
  return [&passed](std::string_view text) {
    SOUK_CHECK(!text.empty() && utf8_prefix(text).valid == text.size());
    passed.text += text;
    return true;
  };
}

Warn note(Passed& passed) {
  return [&passed](Fault&& fault) {
    SOUK_CHECK(!fault.kind.empty() && fault.line > 0 && !fault.message.contains('\n'));
    passed.warnings.push_back(fault.kind + std::to_string(fault.line));
  };
}

Passed read(std::string_view bytes, size_t block, bool lenient) {
  Passed passed;
  Decoder decoder(collect(passed), lenient ? note(passed) : Warn(), passed.fault);
  Unpacker unpacker(kMaxBytes, [&](std::string_view piece) { return decoder.push(piece); }, passed.fault);
  bool more = true;
  for (; more && !bytes.empty(); bytes.remove_prefix(std::min(block, bytes.size()))) {
    more = unpacker.push(bytes.substr(0, block));
  }
  passed.good = more && unpacker.finish() && decoder.finish();
  SOUK_CHECK(passed.good == passed.fault.kind.empty());
  SOUK_CHECK(passed.text.size() <= 3 * kMaxBytes);
  return passed;
}

Passed repair(std::string_view text) {
  Passed passed;
  CharacterRepair stage(collect(passed), note(passed), 1);
  passed.good = stage.push(text) && stage.finish();
  return passed;
}

void check_repair(std::string_view text) {
  const Passed once = repair(text);
  SOUK_CHECK(once.good);
  SOUK_CHECK(std::ranges::none_of(
      once.text, [](char c) { return static_cast<uint8_t>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; }));
  SOUK_CHECK(!once.text.contains("\xEF\xBF\xBE") && !once.text.contains("\xEF\xBF\xBF"));
  if (once.warnings.empty()) SOUK_CHECK(once.text == text);
}

void check_zip(std::string_view bytes) {
  const int fd = ::memfd_create("fuzz", MFD_CLOEXEC);
  SOUK_CHECK(fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  if (is_zip(fd)) {
    Fault fault;
    uint64_t unpacked = 0;
    const bool good = read_zip(
        fd, kMaxBytes,
        [&](std::string_view block) {
          unpacked += block.size();
          return true;
        },
        {}, fault);
    SOUK_CHECK(good == fault.kind.empty() && unpacked <= kMaxBytes);
  }
  ::close(fd);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool lenient : {false, true}) {
    const Passed whole = read(bytes, std::string_view::npos, lenient);
    const Passed pieces = read(bytes, 1 + size % 97, lenient);
    SOUK_CHECK(pieces.fault.kind == whole.fault.kind && pieces.warnings == whole.warnings);
    if (whole.good) SOUK_CHECK(pieces.text == whole.text);
    if (lenient) check_repair(whole.text);
  }
  if (bytes.starts_with("PK")) check_zip(bytes);
  return 0;
}
