// CSV, for imports (RFC 4180): a header line or a list of headers, cells that may be quoted, "" for
// a quote inside one. Line breaks inside quotes belong to the cell. Every cell is a string, except
// those of key attributes; an empty cell is an attribute that the item does not have.
#ifndef STATOR_TRANSFER_CSV_H_
#define STATOR_TRANSFER_CSV_H_

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transfer/record.h"

namespace stator::transfer {

struct CsvOptions {
  char delimiter = ',';
  std::vector<std::string> headers;  // empty: the first line of every object has them
  // Attributes of the keys of the table and its indexes: S, N, or B in base64.
  std::vector<std::pair<std::string, Type>> key_types;
};

// The delimiters that an import takes: , ; : | tab and space.
bool IsCsvDelimiter(char c);

// One row of cells.
struct CsvRow {
  std::vector<std::string> cells;  // at most the number asked for
  std::size_t cell_count = 0;      // how many the row has
  std::size_t length = 0;          // of the text of the row with its line break
};

enum class CsvStatus : std::uint8_t {
  kRow,
  kIncomplete,  // the row does not end in the text
  kBadQuote,    // a misplaced quote; `length` reaches to the end of the line
};
// Splits the row at the front of `text`. `is_all`: nothing follows the text.
CsvStatus SplitCsvRow(std::string_view text, bool is_all, char delimiter, std::size_t cells_max,
                      CsvRow& row);

class CsvReader final : public RecordReader {
 public:
  CsvReader(std::unique_ptr<ByteSource> source, CsvOptions options,
            std::size_t chunk_bytes = kChunkBytes)
      : window_(std::move(source), chunk_bytes), options_(std::move(options)) {}

  TransferResult<std::optional<ReadRecord>> Next() override;
  RecordPlace place() const override { return {window_.line(), window_.offset()}; }

 private:
  struct Column {
    std::string name;
    Type type;
  };
  // The next row that is not blank; nothing at the end.
  TransferResult<std::optional<CsvStatus>> NextRow(CsvRow& row, std::size_t cells_max);
  TransferResult<void> ReadHeaders();
  std::expected<Record, std::string> MakeItem(const CsvRow& row) const;

  InputWindow window_;
  CsvOptions options_;
  std::vector<Column> columns_;
  RecordPlace row_place_;
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_CSV_H_
