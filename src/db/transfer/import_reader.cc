#include "transfer/import_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "transfer/ion/reader.h"
#include "transfer/json_lines.h"

namespace stator::transfer {
namespace {

std::unique_ptr<RecordReader> MakeReader(const ImportSource& source,
                                         std::unique_ptr<ByteSource> bytes) {
  bytes = Unpacked(source.compression, std::move(bytes));
  switch (source.format) {
    case DataFormat::kDynamoDbJson:
      return std::make_unique<JsonLinesReader>(std::move(bytes));
    case DataFormat::kIon:
      return std::make_unique<IonReader>(std::move(bytes));
    case DataFormat::kCsv:
      break;
  }
  return std::make_unique<CsvReader>(std::move(bytes), source.csv);
}

std::expected<Item, std::string> ItemOf(std::expected<Record, std::string> content) {
  if (!content) return std::unexpected(std::move(content).error());
  if (Item* item = std::get_if<Item>(&*content)) return std::move(*item);
  return std::unexpected("a record of an incremental export is not an item");
}

// Counts the stored bytes that are read of an object.
class CountingSource final : public ByteSource {
 public:
  CountingSource(std::unique_ptr<ByteSource> source, std::uint64_t& count)
      : source_(std::move(source)), count_(count) {}
  TransferResult<std::size_t> Read(std::span<char> out) override {
    TransferResult<std::size_t> read = source_->Read(out);
    if (read) count_ += *read;
    return read;
  }

 private:
  const std::unique_ptr<ByteSource> source_;
  std::uint64_t& count_;
};

}  // namespace

std::string ImportRecord::ProblemText() const {
  if (item) return {};
  if (place.line == 0) return fmt::format("{}: byte {}: {}", object, place.offset, item.error());
  return fmt::format("{}: line {} (byte {}): {}", object, place.line, place.offset, item.error());
}

TransferResult<std::unique_ptr<ImportReader>> ImportReader::Open(const ObjectStore& store,
                                                                 ImportSource source,
                                                                 ImportProgress progress) {
  std::unique_ptr<ImportReader> reader(
      new ImportReader(store, std::move(source), std::move(progress)));
  ASSIGN_OR_RETURN(reader->objects_,
                   store.List(reader->source_.bucket, reader->source_.prefix, kImportObjectsMax));
  const auto first =
      std::ranges::lower_bound(reader->objects_, reader->progress_.object, {}, &ObjectInfo::key);
  reader->next_object_ = static_cast<std::size_t>(first - reader->objects_.begin());
  for (std::size_t i = 0; i < reader->objects_.size(); ++i) {
    reader->total_bytes_ += reader->objects_[i].size_bytes;
    if (i < reader->next_object_) reader->finished_bytes_ += reader->objects_[i].size_bytes;
  }
  return reader;
}

TransferResult<bool> ImportReader::BeginObject() {
  if (next_object_ == objects_.size()) return false;
  const std::string& key = objects_[next_object_].key;
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> bytes, store_.Open(source_.bucket, key));
  open_bytes_ = 0;
  reader_ = MakeReader(source_, std::make_unique<CountingSource>(std::move(bytes), open_bytes_));
  is_broken_ = false;
  ++next_object_;
  if (key != progress_.object) {
    progress_.object = key;
    progress_.records_in_object = 0;
    unpacked_before_ = progress_.unpacked_bytes;
    return true;
  }
  RETURN_IF_ERROR(PassRead());
  return true;
}

TransferResult<void> ImportReader::PassRead() {
  const ImportProgress saved = progress_;
  TransferResult<std::optional<ImportRecord>> record;
  for (std::uint64_t passed = 0; passed < saved.records_in_object && record; ++passed) {
    record = NextInObject();
    if (record && !*record) break;
  }
  progress_ = saved;
  unpacked_before_ = saved.unpacked_bytes - std::min(saved.unpacked_bytes, reader_->place().offset);
  if (!record) return std::unexpected(std::move(record).error());
  return {};
}

void ImportReader::EndObject() {
  progress_.unpacked_bytes = unpacked_before_ + reader_->place().offset;
  finished_bytes_ += objects_[next_object_ - 1].size_bytes;
  open_bytes_ = 0;
  reader_.reset();
}

std::uint64_t ImportReader::read_bytes() const {
  if (!reader_) return finished_bytes_;
  // An object may have grown since it was listed.
  return finished_bytes_ + std::min(open_bytes_, objects_[next_object_ - 1].size_bytes);
}

TransferResult<std::optional<ImportRecord>> ImportReader::NextInObject() {
  if (is_broken_) return std::nullopt;
  TransferResult<std::optional<ReadRecord>> read = reader_->Next();
  if (!read && read.error().kind != TransferError::Kind::kCorrupt) {
    return std::unexpected(std::move(read).error());
  }
  if (read && !*read) return std::nullopt;
  ImportRecord record{.object = progress_.object, .place = reader_->place(), .item = Item()};
  if (read) {
    record.place = (*read)->place;
    record.item = ItemOf(std::move((*read)->content));
  } else {
    is_broken_ = true;
    record.item = std::unexpected(std::move(read).error().message);
  }
  ++progress_.records_in_object;
  ++progress_.record_count;
  if (!record.item) ++progress_.error_count;
  progress_.unpacked_bytes = unpacked_before_ + reader_->place().offset;
  return record;
}

TransferResult<std::optional<ImportRecord>> ImportReader::Next() {
  for (;;) {
    if (!reader_) {
      ASSIGN_OR_RETURN(const bool found, BeginObject());
      if (!found) return std::nullopt;
    }
    ASSIGN_OR_RETURN(std::optional<ImportRecord> record, NextInObject());
    if (record) return record;
    EndObject();
  }
}

}  // namespace stator::transfer
