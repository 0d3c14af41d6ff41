#include "transfer/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/try.h"
#include "value/base64.h"

namespace stator::transfer {
namespace {

// Splits one row. Every step tells how it ended, or that the text is too short to decide.
class RowSplitter {
 public:
  RowSplitter(std::string_view text, bool is_all, char delimiter, std::size_t cells_max,
              CsvRow& row)
      : text_(text), is_all_(is_all), delimiter_(delimiter), cells_max_(cells_max), row_(row) {}

  CsvStatus Split();

 private:
  enum class Cell : std::uint8_t { kNext, kLast, kIncomplete, kBadQuote };
  Cell Plain();
  Cell Quoted();
  // Passes what follows a cell: a delimiter, a line break or the end.
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

CsvStatus RowSplitter::Split() {
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

RowSplitter::Cell RowSplitter::Plain() {
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

RowSplitter::Cell RowSplitter::Quoted() {
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

RowSplitter::Cell RowSplitter::Behind() {
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

CsvStatus RowSplitter::BadQuote() {
  const std::size_t end = text_.find('\n', at_);
  if (end == std::string_view::npos && !is_all_) return CsvStatus::kIncomplete;
  row_.length = std::min(end, text_.size() - 1) + 1;
  return CsvStatus::kBadQuote;
}

// An item of 400 KB cannot have more attributes.
constexpr std::size_t kColumnsMax = 1 << 17;

// REQUIRES: the cell is not empty.
std::expected<AttributeValue, std::string> CellValue(Type type, const std::string& cell,
                                                     std::string_view name) {
  if (type == Type::kN) return AttributeValue::Number(cell);
  if (type != Type::kB) return AttributeValue::String(cell);
  std::string bytes;
  if (AppendBase64Decoded(bytes, cell) != Base64Status::kOk) {
    return std::unexpected(fmt::format("the cell of {} is not valid base64", name));
  }
  return AttributeValue::Binary(bytes);
}

}  // namespace

CsvStatus SplitCsvRow(std::string_view text, bool is_all, char delimiter, std::size_t cells_max,
                      CsvRow& row) {
  row = {};
  return RowSplitter(text, is_all, delimiter, cells_max, row).Split();
}

bool IsCsvDelimiter(char c) {
  return std::string_view(",;:|\t ").find(c) != std::string_view::npos;
}

TransferResult<std::optional<CsvStatus>> CsvReader::NextRow(CsvRow& row, std::size_t cells_max) {
  const std::uint64_t start = window_.offset();
  for (;;) {
    RETURN_IF_ERROR(window_.CheckProgress(start));
    if (window_.at_end() && window_.unread().empty()) return std::nullopt;
    const CsvStatus status =
        SplitCsvRow(window_.unread(), window_.at_end(), options_.delimiter, cells_max, row);
    if (status == CsvStatus::kIncomplete) {
      RETURN_IF_ERROR(window_.ReadMore());
      continue;
    }
    row_place_ = place();
    const bool is_blank = row.length <= 2 && (window_.unread().starts_with('\n') ||
                                              window_.unread().starts_with("\r\n"));
    window_.Consume(row.length);
    if (!is_blank) return status;
  }
}

TransferResult<void> CsvReader::ReadHeaders() {
  std::vector<std::string> names = options_.headers;
  while (window_.unread().size() < kByteOrderMark.size() && !window_.at_end()) {
    RETURN_IF_ERROR(window_.ReadMore());
  }
  if (window_.unread().starts_with(kByteOrderMark)) window_.Consume(kByteOrderMark.size());
  if (names.empty()) {
    CsvRow row;
    ASSIGN_OR_RETURN(const std::optional<CsvStatus> status, NextRow(row, kColumnsMax));
    if (!status) return {};
    if (*status == CsvStatus::kBadQuote) return Corrupt("the header line has a misplaced quote");
    if (row.cell_count > kColumnsMax) return Corrupt("the header line has too many columns");
    names = std::move(row.cells);
  }
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) return Corrupt("a column has no name");
    if (!seen.insert(name).second) return Corrupt(fmt::format("two columns are named {}", name));
    const auto key =
        std::ranges::find(options_.key_types, name, &std::pair<std::string, Type>::first);
    columns_.push_back({name, key == options_.key_types.end() ? Type::kS : key->second});
  }
  return {};
}

TransferResult<std::optional<ReadRecord>> CsvReader::Next() {
  if (columns_.empty()) RETURN_IF_ERROR(ReadHeaders());
  CsvRow row;
  ASSIGN_OR_RETURN(const std::optional<CsvStatus> status, NextRow(row, columns_.size()));
  if (!status) return std::nullopt;
  if (*status == CsvStatus::kBadQuote) {
    return ReadRecord{.place = row_place_, .content = std::unexpected("a quote is misplaced")};
  }
  return ReadRecord{.place = row_place_, .content = MakeItem(row)};
}

std::expected<Record, std::string> CsvReader::MakeItem(const CsvRow& row) const {
  if (row.cell_count != columns_.size()) {
    return std::unexpected(fmt::format("the row has {} cells, but there are {} columns",
                                       row.cell_count, columns_.size()));
  }
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    if (row.cells[i].empty()) continue;
    ASSIGN_OR_RETURN(AttributeValue value, CellValue(column.type, row.cells[i], column.name));
    attributes.emplace_back(column.name, std::move(value));
  }
  return AcceptedItem(Item(attributes));
}

}  // namespace stator::transfer
