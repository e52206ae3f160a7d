// SPDX-License-Identifier: Apache-2.0
#include "indexer/sandbox/offer_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "indexer/feed/codec.h"
#include "indexer/sandbox/child_process.h"
#include "indexer/sandbox/parse_child.h"

namespace souk::sandbox {
namespace {

namespace io = google::protobuf::io;

constexpr int kBlock = 1 << 20;

}  // namespace

struct OfferFileWriter::Impl {
  explicit Impl(int fd) : file(fd, kBlock), out(&file) {}
  Status state() {
    if (!out.HadError()) return {};
    return fail(ErrorCode::kUnavailable,
                std::string("the offers cannot be written: ") + std::strerror(file.GetErrno()));
  }

  io::FileOutputStream file;
  io::CodedOutputStream out;
  feed::FeedOfferRecord record;
};

OfferFileWriter::OfferFileWriter(int fd) : impl_(std::make_unique<Impl>(fd)) {}
OfferFileWriter::~OfferFileWriter() = default;

Status OfferFileWriter::write(const feed::Offer& offer) {
  feed::FeedOfferRecord& record = impl_->record;
  record.Clear();
  feed::fill_record(record, offer);
  const size_t size = record.ByteSizeLong();
  if (size > kMaxOfferBytes) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("the offer in line {} has {} bytes", offer.line, size));
  }
  impl_->out.WriteVarint32(static_cast<uint32_t>(size));
  record.SerializeWithCachedSizes(&impl_->out);
  return impl_->state();
}

Status OfferFileWriter::finish() {
  impl_->out.Trim();
  if (!impl_->file.Flush()) {
    return fail(ErrorCode::kUnavailable,
                std::string("the offers cannot be written: ") + std::strerror(impl_->file.GetErrno()));
  }
  return impl_->state();
}

Status read_parsed_offers(const std::string& output, const std::function<Status(feed::Offer&&)>& each) {
  const Fd fd(::open(output.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.ok()) return fail(ErrorCode::kUnavailable, std::strerror(errno), output);
  io::FileInputStream file(fd.get(), kBlock);
  feed::FeedOfferRecord record;
  for (uint64_t number = 1;; ++number) {
    io::CodedInputStream in(&file);  // one for each: it counts up to 2 GiB only
    const void* ahead = nullptr;
    int available = 0;
    if (!in.GetDirectBufferPointer(&ahead, &available)) break;
    uint32_t size = 0;
    if (!in.ReadVarint32(&size) || size > kMaxOfferBytes) {
      return fail(ErrorCode::kCorruption, fmt::format("offer {} has no proper length", number), output);
    }
    in.PushLimit(static_cast<int>(size));
    record.Clear();
    if (!record.MergeFromCodedStream(&in) || !in.ConsumedEntireMessage() || in.BytesUntilLimit() != 0) {
      return fail(ErrorCode::kCorruption, fmt::format("offer {} is cut or damaged", number), output);
    }
    auto offer = feed::read_record(std::move(record));
    if (!offer) {
      Error error = std::move(offer.error());
      error.message = fmt::format("offer {}: {}", number, error.message);
      if (error.argument.empty()) error.argument = output;
      return std::unexpected(std::move(error));
    }
    if (Status done = each(std::move(*offer)); !done) return done;
  }
  if (file.GetErrno() != 0) return fail(ErrorCode::kUnavailable, std::strerror(file.GetErrno()), output);
  return {};
}

}  // namespace souk::sandbox
