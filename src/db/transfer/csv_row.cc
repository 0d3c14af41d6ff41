// SplitCsvRow.
#include <algorithm>

#include "transfer/csv.h"

namespace stator::transfer {
namespace {

// Splits one row; every step says how far it got, or that the text is too short to tell.
class Splitter {
 public:
  Splitter(std::string_view text, bool is_all, char delimiter, std::size_t cells_max, CsvRow& row)
      : text_(text), is_all_(is_all), delimiter_(delimiter), cells_max_(cells_max), row_(row) {}

  CsvStatus Split();

 private:
  enum class Cell : std::uint8_t { kNext, kLast, kIncomplete, kBadQuote };
  Cell Plain();
  Cell Quoted();
  // What stands behind a cell: a delimiter, a line break or the end.
  Cell Behind();
  CsvStatus BadQuote();
  void Add(std::string cell) {
    if (row_.cells.size() < cells_max_) row_.cells.push_back(std::move(cell));
    ++row_.cell_count;
  }

  std::string_view text_;
  bool is_all_;
  char delimiter_;
  std::size_t cells_max_;
  CsvRow& row_;
  std::size_t at_ = 0;
};

CsvStatus Splitter::Split() {
  for (;;) {
    if (at_ == text_.size() && !is_all_) return CsvStatus::kIncomplete;
    switch (text_.substr(at_).starts_with('"') ? Quoted() : Plain()) {
      case Cell::kNext:
        break;
      case Cell::kLast:
        row_.length = at_;
        return CsvStatus::kRow;
      case Cell::kIncomplete:
        return CsvStatus::kIncomplete;
      case Cell::kBadQuote:
        return BadQuote();
    }
  }
}

Splitter::Cell Splitter::Plain() {
  const char stops[] = {delimiter_, '\n', '\r', '"'};
  std::size_t end = at_;
  for (;;) {
    end = text_.find_first_of(std::string_view(stops, sizeof stops), end);
    if (end == std::string_view::npos) {
      if (!is_all_) return Cell::kIncomplete;
      end = text_.size();
    }
    // A carriage return ends a line only before a newline.
    if (end < text_.size() && text_[end] == '\r') {
      if (end + 1 == text_.size() && !is_all_) return Cell::kIncomplete;
      if (!text_.substr(end + 1).starts_with('\n')) {
        ++end;
        continue;
      }
    }
    break;
  }
  if (end < text_.size() && text_[end] == '"') {
    at_ = end;
    return Cell::kBadQuote;
  }
  Add(std::string(text_.substr(at_, end - at_)));
  at_ = end;
  return Behind();
}

Splitter::Cell Splitter::Quoted() {
  std::string cell;
  std::size_t from = at_ + 1;
  for (;;) {
    const std::size_t quote = text_.find('"', from);
    if (quote == std::string_view::npos) return is_all_ ? Cell::kBadQuote : Cell::kIncomplete;
    cell.append(text_.substr(from, quote - from));
    if (quote + 1 == text_.size() && !is_all_) return Cell::kIncomplete;
    if (!text_.substr(quote + 1).starts_with('"')) {
      Add(std::move(cell));
      at_ = quote + 1;
      return Behind();
    }
    cell.push_back('"');
    from = quote + 2;
  }
}

Splitter::Cell Splitter::Behind() {
  const std::string_view rest = text_.substr(at_);
  if (rest.empty()) return is_all_ ? Cell::kLast : Cell::kIncomplete;
  if (rest.front() == delimiter_) {
    ++at_;
    return Cell::kNext;
  }
  if (rest == "\r" && !is_all_) return Cell::kIncomplete;
  if (rest.starts_with('\n') || rest.starts_with("\r\n")) {
    at_ += rest.front() == '\r' ? 2 : 1;
    return Cell::kLast;
  }
  return Cell::kBadQuote;
}

CsvStatus Splitter::BadQuote() {
  const std::size_t end = text_.find('\n', at_);
  if (end == std::string_view::npos && !is_all_) return CsvStatus::kIncomplete;
  row_.length = std::min(end, text_.size() - 1) + 1;
  return CsvStatus::kBadQuote;
}

}  // namespace

CsvStatus SplitCsvRow(std::string_view text, bool is_all, char delimiter, std::size_t cells_max,
                      CsvRow& row) {
  row = {};
  return Splitter(text, is_all, delimiter, cells_max, row).Split();
}

}  // namespace stator::transfer
