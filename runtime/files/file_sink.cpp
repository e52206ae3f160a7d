// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/file_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace souk::files {

namespace {

std::unexpected<Error> io_error(const std::string& path) {
  return fail(ErrorCode::kUnavailable, std::string("cannot write: ") + std::strerror(errno), path);
}

// Makes names in the folder durable.
Status sync_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return io_error(folder);
  const int done = ::fsync(fd);
  ::close(fd);
  return done == 0 ? Status{} : io_error(folder);
}

}  // namespace

Result<std::unique_ptr<FileSink>> FileSink::create(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wbxe");  // x: never over an existing file
  if (file == nullptr) return io_error(path);
  return std::unique_ptr<FileSink>(new FileSink(path, file));
}

std::unexpected<Error> FileSink::failure() const {
  return io_error(path_);
}

Status FileSink::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) return failure();
  hash_.update(bytes);
  size_ += bytes.size();
  return {};
}

Status FileSink::close() {
  if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) return failure();
  std::FILE* file = file_.release();
  return std::fclose(file) == 0 ? Status{} : failure();
}

Status replace_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = path + ".new";
  std::error_code error;
  std::filesystem::remove(temporary, error);  // left by a crash
  auto sink = FileSink::create(temporary);
  if (!sink) return std::unexpected(sink.error());
  Status done = (*sink)->write(bytes);
  if (done) done = (*sink)->close();
  if (done && std::rename(temporary.c_str(), path.c_str()) != 0) done = io_error(path);
  if (!done) {
    std::filesystem::remove(temporary, error);
    return done;
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return sync_folder(folder.empty() ? "." : folder);
}

}  // namespace souk::files
