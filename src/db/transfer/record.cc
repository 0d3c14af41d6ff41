#include "transfer/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "base/try.h"
#include "value/json.h"
#include "value/value_problem.h"

namespace stator::transfer {

std::string_view FormatName(DataFormat format) {
  switch (format) {
    case DataFormat::kDynamoDbJson:
      return "DYNAMODB_JSON";
    case DataFormat::kIon:
      return "ION";
    case DataFormat::kCsv:
      return "CSV";
  }
  return {};
}

std::string_view ViewName(ExportView view) {
  return view == ExportView::kNewImage ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES";
}

std::expected<Item, std::string> AcceptedItem(Item item) {
  if (item.problem() == nullptr) return item;
  return std::unexpected(ProblemMessage(*item.problem(), Wording::kCurrent));
}

void InputWindow::MakeRoom(std::size_t count) {
  if (end_ + count + kJsonPadding <= buffer_.size()) return;
  const std::size_t length = end_ - begin_;
  if (begin_ != 0) std::memmove(buffer_.data(), buffer_.data() + begin_, length);
  begin_ = 0;
  end_ = length;
  if (end_ + count + kJsonPadding > buffer_.size()) buffer_.resize(end_ + count + kJsonPadding);
}

TransferResult<void> InputWindow::ReadMore() {
  const std::size_t length = end_ - begin_;
  if (length >= kRecordBytesMax) {
    return Corrupt(fmt::format("a record is longer than {} bytes", kRecordBytesMax));
  }
  const std::size_t wanted = std::min(std::max(length, chunk_bytes_), kRecordBytesMax - length);
  MakeRoom(wanted);
  const std::size_t target = end_ + wanted;
  while (end_ < target) {
    ASSIGN_OR_RETURN(const std::size_t count,
                     source_->Read(std::span(buffer_).subspan(end_, target - end_)));
    if (count == 0) {
      at_end_ = true;
      return {};
    }
    end_ += count;
  }
  return {};
}

TransferResult<void> InputWindow::CheckProgress(std::uint64_t start) const {
  if (offset_ - start <= kRecordBytesMax) return {};
  return Corrupt(fmt::format("there is no record in {} bytes", kRecordBytesMax));
}

void InputWindow::Consume(std::size_t count) {
  const std::string_view passed = unread().substr(0, count);
  line_ += static_cast<std::uint64_t>(std::ranges::count(passed, '\n'));
  offset_ += passed.size();
  begin_ += passed.size();
}

}  // namespace stator::transfer
