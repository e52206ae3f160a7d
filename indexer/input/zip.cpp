// SPDX-License-Identifier: Apache-2.0
#include "indexer/input/zip.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "indexer/input/unpack.h"

namespace souk::input {
namespace {

constexpr zip_int64_t kMaxEntries = 1000;  // with folders
constexpr size_t kEndRecord = 22;
constexpr size_t kMaxTail = kEndRecord + 65535 + 20;  // end record, its comment, zip64's pointer before it

bool refuse(Fault& fault, const char* kind, std::string message) {
  fault = {kind, 0, std::move(message)};
  return false;
}

uint32_t number(std::string_view bytes, size_t at, size_t size) {
  uint32_t value = 0;
  for (size_t i = size; i > 0; --i) value = value << 8U | static_cast<uint8_t>(bytes[at + i - 1]);
  return value;
}

// libzip reads the whole directory into memory, so its length is looked at before: at every place where libzip may find
// the directory's end record.
bool check_directory(int fd, uint64_t file_size, Fault& fault) {
  std::string tail(std::min<uint64_t>(kMaxTail, file_size), '\0');
  const ssize_t read = ::pread(fd, tail.data(), tail.size(), static_cast<off_t>(file_size - tail.size()));
  tail.resize(read < 0 ? 0 : static_cast<size_t>(read));
  const std::string_view bytes = tail;
  for (size_t at = bytes.find("PK\x05\x06"); at != std::string_view::npos; at = bytes.find("PK\x05\x06", at + 1)) {
    if (bytes.size() - at < kEndRecord) break;
    if (at >= 20 && bytes.substr(at - 20).starts_with("PK\x06\x07")) {
      return refuse(fault, "bad_zip", "zip64 archives are not read");
    }
    const uint64_t directory_end = uint64_t{number(bytes, at + 12, 4)} + number(bytes, at + 16, 4);
    if (directory_end > file_size) continue;
    const uint32_t entries = number(bytes, at + 10, 2);
    if (entries > kMaxEntries) return refuse(fault, "zip_entries", fmt::format("the archive has {} entries", entries));
  }
  return true;
}

struct Closer {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Closer>;
using Entry = std::unique_ptr<zip_file_t, Closer>;

Archive open_archive(int fd, Fault& fault) {
  int code = ZIP_ER_OPEN;
  const int own = ::dup(fd);  // libzip closes what it opened
  Archive archive(own < 0 || ::lseek(own, 0, SEEK_SET) < 0 ? nullptr : zip_fdopen(own, 0, &code));
  if (archive) return archive;
  if (own >= 0) ::close(own);
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  refuse(fault, "bad_zip", fmt::format("the zip archive cannot be read: {}", zip_error_strerror(&error)));
  zip_error_fini(&error);
  return nullptr;
}

std::optional<zip_uint64_t> find_only_file(zip_t* archive, Fault& fault) {
  std::optional<zip_uint64_t> found;
  const zip_int64_t entries = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    const char* name = zip_get_name(archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
    if (name == nullptr || std::string_view(name).ends_with('/')) continue;
    if (found) {
      refuse(fault, "zip_entries", "the archive has more than one file");
      return std::nullopt;
    }
    found = static_cast<zip_uint64_t>(i);
  }
  if (!found) refuse(fault, "zip_entries", "the archive has no file");
  return found;
}

}  // namespace

bool is_zip(int fd) {
  std::array<char, 4> head{};
  if (::pread(fd, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) return false;
  const std::string_view bytes(head.data(), head.size());
  return bytes == "PK\x03\x04" || bytes == "PK\x05\x06";
}

bool read_zip(int fd, uint64_t max_bytes, const Sink& sink, const std::function<void(uint64_t, uint64_t)>& progress,
              Fault& fault) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) return refuse(fault, "bad_zip", "the zip archive cannot be read");
  const auto file_size = static_cast<uint64_t>(info.st_size);
  if (!check_directory(fd, file_size, fault)) return false;
  const Archive archive = open_archive(fd, fault);
  if (!archive) return false;
  const auto index = find_only_file(archive.get(), fault);
  if (!index) return false;
  zip_stat_t entry;
  zip_stat_init(&entry);
  const Entry file(zip_fopen_index(archive.get(), *index, 0));
  if (!file || zip_stat_index(archive.get(), *index, 0, &entry) != 0) {
    return refuse(fault, "bad_zip",
                  fmt::format("the file in the archive cannot be read: {}", zip_strerror(archive.get())));
  }
  const uint64_t packed = std::min<uint64_t>(entry.comp_size, file_size);
  if (!check_unpacked(entry.size, packed, max_bytes, fault)) return false;  // what it says of itself
  std::vector<char> block(kUnpackedBlock);
  for (uint64_t unpacked = 0;;) {
    const zip_int64_t size = zip_fread(file.get(), block.data(), block.size());
    if (size < 0) {
      return refuse(fault, "bad_zip", fmt::format("the zip archive is damaged: {}", zip_file_strerror(file.get())));
    }
    if (size == 0) break;
    unpacked += static_cast<uint64_t>(size);
    if (!check_unpacked(unpacked, packed, max_bytes, fault)) return false;
    const double share =
        entry.size == 0 ? 1 : std::min(1.0, static_cast<double>(unpacked) / static_cast<double>(entry.size));
    if (progress) progress(static_cast<uint64_t>(static_cast<double>(file_size) * share), file_size);
    if (!sink({block.data(), static_cast<size_t>(size)})) return false;
  }
  return true;
}

}  // namespace souk::input
