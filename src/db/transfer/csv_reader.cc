// CsvReader.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/try.h"
#include "transfer/csv.h"
#include "value/base64.h"

namespace stator::transfer {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
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
