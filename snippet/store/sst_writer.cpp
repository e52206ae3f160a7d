// SPDX-License-Identifier: Apache-2.0
#include <rocksdb/env.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>

#include "snippet/store/rocks_status.h"
#include "snippet/store/snippet_store.h"
#include "snippet/store/table_options.h"

namespace souk::snippet {

std::string store_key(DocKey key, uint64_t version) {
  std::string text(16, '\0');
  for (int i = 0; i < 8; ++i) {
    text[static_cast<size_t>(i)] = static_cast<char>(key.value() >> (56 - 8 * i));
    text[static_cast<size_t>(8 + i)] = static_cast<char>(version >> (56 - 8 * i));
  }
  return text;
}

struct SstWriter::Impl {
  std::string path;
  std::unique_ptr<rocksdb::SstFileWriter> writer;  // set while a file is open
  uint64_t added = 0;

  void drop() {
    writer.reset();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

SstWriter::SstWriter() : impl_(std::make_unique<Impl>()) {}

// A file without its footer is of no use to anybody.
SstWriter::~SstWriter() {
  if (impl_->writer) impl_->drop();
}

Status SstWriter::open(const std::string& path) {
  if (impl_->writer) return fail(ErrorCode::kInvalidArgument, "a file is open already", impl_->path);
  impl_->path = path;
  impl_->added = 0;
  impl_->writer = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), document_options(nullptr));
  Status opened = to_status(impl_->writer->Open(path), path);
  if (!opened) impl_->writer.reset();
  return opened;
}

Status SstWriter::add(DocKey key, uint64_t version, std::string_view document) {
  if (!impl_->writer) return fail(ErrorCode::kInvalidArgument, "no file is open");
  const rocksdb::Slice value(document.data(), document.size());
  const Status added = to_status(impl_->writer->Put(store_key(key, version), value), impl_->path);
  if (added) ++impl_->added;
  return added;
}

Status SstWriter::finish() {
  if (!impl_->writer) return fail(ErrorCode::kInvalidArgument, "no file is open");
  if (impl_->added == 0) {
    impl_->drop();
    return {};
  }
  const Status finished = to_status(impl_->writer->Finish(), impl_->path);
  if (finished) {
    impl_->writer.reset();
  } else {
    impl_->drop();
  }
  return finished;
}

}  // namespace souk::snippet
