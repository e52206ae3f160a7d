// SPDX-License-Identifier: Apache-2.0
#include "indexer/build/shard_spool.h"

#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/util/delimited_message_util.h>

#include <filesystem>
#include <fstream>

namespace souk::build {

Result<ShardSpool> ShardSpool::create(const std::string& path) {
  auto sink = files::FileSink::create(path);
  if (!sink) return std::unexpected(sink.error());
  return ShardSpool(path, std::move(*sink));
}

Status ShardSpool::add(const SpoolDoc& doc) {
  buffer_.clear();
  {
    google::protobuf::io::StringOutputStream stream(&buffer_);
    if (!google::protobuf::util::SerializeDelimitedToZeroCopyStream(doc, &stream)) {
      return fail(ErrorCode::kInternal, "an offer is too large to spool", path_);
    }
  }
  ++documents_;
  return sink_->write(buffer_);
}

Status ShardSpool::close() {
  return sink_->close();
}

Status ShardSpool::read(const std::function<Status(const SpoolDoc&)>& each) const {
  {
    std::ifstream file(path_, std::ios::binary);
    google::protobuf::io::IstreamInputStream stream(&file);
    uint64_t seen = 0;
    SpoolDoc doc;
    for (bool clean_end = false; google::protobuf::util::ParseDelimitedFromZeroCopyStream(&doc, &stream, &clean_end);
         ++seen) {
      if (Status done = each(doc); !done) return done;
      doc.Clear();  // parsing merges
    }
    if (seen != documents_) return fail(ErrorCode::kUnavailable, "the spool could not be read back", path_);
  }
  std::error_code error;
  std::filesystem::remove(path_, error);
  return error ? Status(fail(ErrorCode::kUnavailable, error.message(), path_)) : Status{};
}

}  // namespace souk::build
