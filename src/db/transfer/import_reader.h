// Reads all objects of a prefix, one record after the other.
//
//   ASSIGN_OR_RETURN(auto reader, ImportReader::Open(store, source, saved_progress));
//   ASSIGN_OR_RETURN(std::optional<ImportRecord> record, reader->Next());   // a slice of these
//   Save(reader->progress());
#ifndef STATOR_TRANSFER_IMPORT_READER_H_
#define STATOR_TRANSFER_IMPORT_READER_H_

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transfer/compression.h"
#include "transfer/csv.h"
#include "transfer/object_store.h"
#include "transfer/record.h"

namespace stator::transfer {

// The most objects that an import takes.
inline constexpr std::size_t kImportObjectsMax = 50'000;

struct ImportSource {
  std::string bucket;
  std::string prefix;  // of the keys; may be a whole key
  DataFormat format = DataFormat::kDynamoDbJson;
  Compression compression = Compression::kNone;
  CsvOptions csv;
};

// How far a reader has come. A reader that starts from here reads every remaining record exactly
// once, if the objects have not changed.
struct ImportProgress {
  std::string object;                   // the key of the object that was read last
  std::uint64_t records_in_object = 0;  // that were returned, bad ones included
  std::uint64_t record_count = 0;       // of all objects, bad ones included
  std::uint64_t error_count = 0;     // bad records, and objects that could not be read to the end
  std::uint64_t unpacked_bytes = 0;  // of all objects, up to the last record
};

struct ImportRecord {
  std::string object;  // its key
  RecordPlace place;
  std::expected<Item, std::string> item;  // or what is wrong

  // "data/a.json.gz: line 3 (byte 120): the line is not valid JSON"; empty for an item.
  std::string ProblemText() const;
};

class ImportReader {
 public:
  // Lists the objects. REQUIRES: `store` outlives the reader.
  static TransferResult<std::unique_ptr<ImportReader>> Open(const ObjectStore& store,
                                                            ImportSource source,
                                                            ImportProgress progress = {});

  // The next record; nothing behind the last. A damaged object yields one bad record, and reading
  // goes on with the next object. An error means that the store failed; the caller may open a new
  // reader from the progress and go on.
  TransferResult<std::optional<ImportRecord>> Next();

  const ImportProgress& progress() const { return progress_; }
  std::size_t object_count() const { return objects_.size(); }
  // Sizes of all objects as they are stored, and how much of that was read.
  std::uint64_t total_bytes() const { return total_bytes_; }
  std::uint64_t read_bytes() const;

 private:
  ImportReader(const ObjectStore& store, ImportSource source, ImportProgress progress)
      : store_(store), source_(std::move(source)), progress_(std::move(progress)) {}

  // Opens the next object and passes the records that were read before; false behind the last.
  TransferResult<bool> BeginObject();
  // Passes the records of the open object that were returned before.
  TransferResult<void> PassRead();
  void EndObject();
  // The next record of the open object; nothing at its end.
  TransferResult<std::optional<ImportRecord>> NextInObject();

  const ObjectStore& store_;
  ImportSource source_;
  ImportProgress progress_;
  std::vector<ObjectInfo> objects_;
  std::size_t next_object_ = 0;
  std::unique_ptr<RecordReader> reader_;  // of objects_[next_object_ - 1]
  bool is_broken_ = false;                // the open object is damaged here
  std::uint64_t unpacked_before_ = 0;     // the open object
  std::uint64_t total_bytes_ = 0;
  std::uint64_t finished_bytes_ = 0;  // of objects that were read to their end
  std::uint64_t open_bytes_ = 0;      // of the open object; its source counts here
};

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_IMPORT_READER_H_
