#include "transfer/ion_reader.h"

#include <utility>

#include "base/try.h"
#include "transfer/ion_record.h"

namespace stator::transfer {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr int kListType = 11;

bool IsVersionMarker(const IonValue& value) {
  const std::string_view text = value.text;
  return value.is_bare_symbol && value.annotation.empty() && text.size() > 5 &&
         text.starts_with("$ion_") && text[5] >= '0' && text[5] <= '9';
}

}  // namespace

RecordPlace IonReader::place() const {
  const bool has_lines = encoding_ != Encoding::kBinary;
  return {has_lines ? window_.line() : 0, window_.offset()};
}

TransferResult<bool> IonReader::Fill(std::size_t count) {
  while (window_.unread().size() < count && !window_.at_end()) {
    RETURN_IF_ERROR(window_.ReadMore());
  }
  return window_.unread().size() >= count;
}

TransferResult<void> IonReader::Detect() {
  RETURN_IF_ERROR(Fill(kIonVersionMarker.size()));
  const bool is_binary = window_.unread().starts_with(kIonVersionMarker);
  encoding_ = is_binary ? Encoding::kBinary : Encoding::kText;
  if (window_.unread().starts_with(kByteOrderMark)) window_.Consume(kByteOrderMark.size());
  return {};
}

TransferResult<std::optional<ReadRecord>> IonReader::Next() {
  if (encoding_ == Encoding::kUnknown) RETURN_IF_ERROR(Detect());
  const std::uint64_t start = window_.offset();
  bool more = true;
  while (more) {
    RETURN_IF_ERROR(window_.CheckProgress(start));
    ASSIGN_OR_RETURN(std::optional<ReadRecord> record,
                     encoding_ == Encoding::kBinary ? StepBinary(more) : StepText(more));
    if (record) return record;
  }
  return std::nullopt;
}

TransferResult<std::optional<ReadRecord>> IonReader::Classify(RecordPlace begin,
                                                              const IonValue& value) {
  if (IsVersionMarker(value)) {
    if (value.text != "$ion_1_0") return Corrupt("the version of Ion is not 1.0");
    symbols_.Reset();
    return std::nullopt;
  }
  if (IonSymbols::IsTable(value)) {
    // Without its symbols nothing that follows can be understood.
    const IonResult<void> taken = symbols_.Take(value);
    if (!taken) return Corrupt(taken.error());
    return std::nullopt;
  }
  return ReadRecord{.place = begin, .content = RecordFromIon(value)};
}

bool IonReader::PassSeparators(IonTextParser& parser) {
  while (parser.SkipBlanks()) {
    if (in_list_ && parser.Take(',')) continue;
    if (in_list_ && parser.Take(']')) {
      in_list_ = false;
    } else if (!in_list_ && parser.Take('[')) {
      in_list_ = true;
    } else {
      return true;
    }
  }
  return false;
}

TransferResult<std::optional<ReadRecord>> IonReader::StepText(bool& more) {
  // Separators are passed for good; then a value is parsed until it ends inside the window.
  for (;;) {
    IonTextParser parser(window_.unread(), symbols_);
    const bool was_in_list = in_list_;
    const bool found = PassSeparators(parser);
    // Half a comment looks like the beginning of a value.
    if (parser.touched_end() && !window_.at_end()) {
      in_list_ = was_in_list;
      RETURN_IF_ERROR(window_.ReadMore());
      continue;
    }
    if (!found && parser.at() != window_.unread().size()) {
      return Corrupt("a comment does not end");
    }
    window_.Consume(parser.at());
    more = found;
    if (!found) return std::nullopt;
    break;
  }
  const RecordPlace begin = place();
  for (;;) {
    IonTextParser parser(window_.unread(), symbols_);
    const IonResult<IonValue> value = parser.Value();
    if (parser.touched_end() && !window_.at_end()) {
      RETURN_IF_ERROR(window_.ReadMore());
      continue;
    }
    if (!value) {
      RETURN_IF_ERROR(PassMalformed(parser.at()));
      return ReadRecord{.place = begin, .content = std::unexpected(value.error())};
    }
    window_.Consume(parser.at());
    return Classify(begin, *value);
  }
}

TransferResult<void> IonReader::PassMalformed(std::size_t read) {
  const std::uint64_t start = window_.offset();
  window_.Consume(read);
  for (;;) {
    RETURN_IF_ERROR(window_.CheckProgress(start));
    const std::string_view unread = window_.unread();
    const std::size_t line_end = unread.find('\n');
    const std::size_t next = line_end == std::string_view::npos
                                 ? std::string_view::npos
                                 : unread.find_first_not_of(kBlank, line_end + 1);
    if (next != std::string_view::npos) {
      window_.Consume(line_end + 1);
      if (unread[next] == '$') in_list_ = false;
      if (unread[next] == '$' || unread[next] == '{') return {};
    } else if (window_.at_end()) {
      window_.Consume(unread.size());
      return {};
    } else {
      // What cannot hold the line's end is not needed again.
      if (line_end == std::string_view::npos) window_.Consume(unread.size());
      RETURN_IF_ERROR(window_.ReadMore());
    }
  }
}

TransferResult<std::optional<ReadRecord>> IonReader::StepBinary(bool& more) {
  RETURN_IF_ERROR(Fill(kIonHeadBytesMax));
  const RecordPlace begin = place();
  const std::string_view unread = window_.unread();
  more = !unread.empty();
  if (!more) return std::nullopt;
  if (unread.front() == kIonVersionMarker.front()) {
    if (!unread.starts_with(kIonVersionMarker)) return Corrupt("the version of Ion is not 1.0");
    symbols_.Reset();
    window_.Consume(kIonVersionMarker.size());
    return std::nullopt;
  }
  IonHead head;
  const IonHeadStatus status = ReadIonHead(unread, head);
  if (status == IonHeadStatus::kTooShort) return Corrupt("the last value does not end");
  if (status == IonHeadStatus::kMalformed) return Corrupt("no Ion value begins here");
  if (head.type == kListType && !head.is_null()) {
    // Its elements follow as if they stood alone.
    window_.Consume(head.head_bytes);
    return std::nullopt;
  }
  if (head.body_bytes > kRecordBytesMax) return Corrupt("a value is too long");
  const std::size_t length = head.head_bytes + static_cast<std::size_t>(head.body_bytes);
  ASSIGN_OR_RETURN(const bool is_whole, Fill(length));
  if (!is_whole) return Corrupt("the last value does not end");
  if (head.is_padding()) {
    window_.Consume(length);
    return std::nullopt;
  }
  const IonResult<IonValue> value = ParseIonBinary(window_.unread().substr(0, length), symbols_);
  window_.Consume(length);
  if (!value) return ReadRecord{.place = begin, .content = std::unexpected(value.error())};
  return Classify(begin, *value);
}

}  // namespace stator::transfer
