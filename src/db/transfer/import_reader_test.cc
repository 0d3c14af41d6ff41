#include "transfer/import_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "transfer/directory_store.h"
#include "transfer/json_lines.h"
#include "transfer/testing/string_streams.h"
#include "transfer/testing/temporary_directory.h"

namespace stator::transfer {
namespace import_reader_test {

std::string Lines(int first, int count) {
  std::string text;
  for (int n = first; n < first + count; ++n) AppendJsonItem(text, Item{{"n", n}}.view());
  return text;
}

using testing::Gzip;

class ImportReaderTest : public ::testing::Test {
 protected:
  void Put(std::string_view key, std::string_view bytes) {
    ASSERT_TRUE(PutObject(*store_, "bucket", key, bytes));
  }
  std::unique_ptr<ImportReader> Open(ImportSource source = {}, ImportProgress progress = {}) {
    source.bucket = "bucket";
    return ImportReader::Open(*store_, std::move(source), std::move(progress)).value();
  }
  // What the records of a reader say, at most so many of them.
  static std::vector<std::string> Drain(ImportReader& reader, std::size_t count_max = 1000) {
    std::vector<std::string> found;
    while (found.size() < count_max) {
      const auto record = reader.Next().value();
      if (!record) break;
      found.push_back(record->item ? record->item->Find("n")->N() : record->ProblemText());
    }
    return found;
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<DirectoryStore> store_ = DirectoryStore::Open(directory_.path().string()).value();
};

TEST_F(ImportReaderTest, ObjectsOfThePrefixAreReadInOrder) {
  Put("data/b", Lines(2, 2));
  Put("data/a", Lines(0, 2));
  Put("data/empty", "");
  Put("other", Lines(9, 1));
  const auto reader = Open({.prefix = "data/"});
  EXPECT_EQ(Drain(*reader), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(reader->progress().record_count, 4U);
  EXPECT_EQ(reader->progress().unpacked_bytes, Lines(0, 4).size());
  EXPECT_EQ(reader->total_bytes(), Lines(0, 4).size());
  EXPECT_EQ(reader->read_bytes(), reader->total_bytes());
}

TEST_F(ImportReaderTest, BytesAreCountedWithinAnObject) {
  Put("a", Lines(0, 20'000));
  const auto reader = Open();
  EXPECT_EQ(reader->read_bytes(), 0U);
  Drain(*reader, 10'000);
  EXPECT_GT(reader->read_bytes(), reader->total_bytes() / 4);
  EXPECT_LT(reader->read_bytes(), reader->total_bytes());
  Drain(*reader, 20'000);
  EXPECT_EQ(reader->read_bytes(), reader->total_bytes());
}

TEST_F(ImportReaderTest, AProblemNamesObjectLineAndByte) {
  Put("a", Lines(0, 1) + "oops\n" + Lines(1, 1));
  const auto reader = Open();
  EXPECT_EQ(Drain(*reader), (std::vector<std::string>{
                                "0", "a: line 2 (byte 25): the line is not valid JSON", "1"}));
  EXPECT_EQ(reader->progress().error_count, 1U);
}

TEST_F(ImportReaderTest, ADamagedObjectIsOneErrorAndTheNextIsRead) {
  const std::string packed = Gzip(Lines(0, 1000));
  Put("a", packed.substr(0, packed.size() - 20));
  Put("b", Gzip(Lines(2000, 1)));
  const auto reader = Open({.compression = Compression::kGzip});
  std::vector<std::string> found = Drain(*reader, 2000);
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found.back(), "2000");
  EXPECT_NE(found[found.size() - 2].find("a: line "), std::string::npos);
  EXPECT_NE(found[found.size() - 2].find("ends too early"), std::string::npos);
  EXPECT_EQ(reader->progress().error_count, 1U);
}

TEST_F(ImportReaderTest, AnIncrementalExportIsNoImport) {
  std::string line;
  AppendJsonChange(line, {.write_timestamp_us = 1, .keys = Item{{"n", 1}}}, ExportView::kNewImage);
  Put("a", line);
  const auto reader = Open();
  EXPECT_EQ(Drain(*reader).size(), 1U);
  EXPECT_EQ(reader->progress().error_count, 1U);
}

TEST_F(ImportReaderTest, CsvHasAHeaderInEveryObject) {
  Put("a", "n,x\n1,a\n");
  Put("b", "x,n\nb,2\n");
  const auto reader = Open({.format = DataFormat::kCsv, .csv = {.key_types = {{"n", Type::kN}}}});
  EXPECT_EQ(Drain(*reader), (std::vector<std::string>{"1", "2"}));
}

TEST_F(ImportReaderTest, ReadingGoesOnWhereItStoppedWhereverThatWas) {
  const std::string packed = Gzip(Lines(100, 50));
  Put("a", Gzip(Lines(0, 5) + "bad\n"));
  Put("b", packed.substr(0, packed.size() - 30));
  Put("c", Gzip(""));
  Put("d", Gzip(Lines(200, 5)));
  const ImportSource source{.compression = Compression::kGzip};
  const auto whole = Open(source);
  const std::vector<std::string> all = Drain(*whole);
  for (std::size_t stop = 0; stop <= all.size(); ++stop) {
    const auto first = Open(source);
    std::vector<std::string> found = Drain(*first, stop);
    const auto second = Open(source, first->progress());
    for (std::string& text : Drain(*second)) found.push_back(std::move(text));
    EXPECT_EQ(found, all) << stop;
    EXPECT_EQ(second->progress().record_count, whole->progress().record_count);
    EXPECT_EQ(second->progress().error_count, whole->progress().error_count);
    EXPECT_EQ(second->progress().unpacked_bytes, whole->progress().unpacked_bytes) << stop;
  }
}

TEST_F(ImportReaderTest, ABucketThatIsNotThereIsAnError) {
  const auto reader = ImportReader::Open(*store_, {.bucket = "missing"});
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().kind, TransferError::Kind::kNotFound);
}

}  // namespace import_reader_test
}  // namespace stator::transfer
