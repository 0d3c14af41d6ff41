// All records of a text, and a check that it does not matter how the text is cut.
#ifndef STATOR_TRANSFER_TESTING_READ_ALL_H_
#define STATOR_TRANSFER_TESTING_READ_ALL_H_

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "transfer/record.h"
#include "transfer/testing/string_streams.h"
#include "value/item_codec.h"

namespace stator::transfer::testing {

struct AllRecords {
  std::vector<Item> items;
  std::vector<ChangeRecord> changes;
  std::vector<std::string> problems;
  std::vector<RecordPlace> places;
  std::string ending;  // the error that ended the object; empty if there was none
};

inline AllRecords ReadAll(RecordReader& reader) {
  AllRecords all;
  for (;;) {
    TransferResult<std::optional<ReadRecord>> read = reader.Next();
    if (!read) {
      all.ending = read.error().message;
      return all;
    }
    if (!*read) return all;
    all.places.push_back((*read)->place);
    auto& content = (*read)->content;
    if (!content) {
      all.problems.push_back(content.error());
    } else if (Item* item = std::get_if<Item>(&*content)) {
      all.items.push_back(std::move(*item));
    } else {
      all.changes.push_back(std::get<ChangeRecord>(std::move(*content)));
    }
  }
}

// The reader sees the text grow by `chunk_bytes` at a time.
template <class Reader, class... Options>
AllRecords ReadText(std::string_view text, std::size_t chunk_bytes, Options... options) {
  Reader reader(std::make_unique<StringSource>(std::string(text)), options..., chunk_bytes);
  return ReadAll(reader);
}

inline bool SameRecords(const AllRecords& a, const AllRecords& b) {
  const auto same_place = [](const RecordPlace& x, const RecordPlace& y) {
    return x.line == y.line && x.offset == y.offset;
  };
  return a.items == b.items && a.changes == b.changes && a.problems == b.problems &&
         a.ending == b.ending &&
         std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(), same_place);
}

// REQUIRES: the text is shorter than any bound of the readers.
template <class Reader, class... Options>
AllRecords ReadCutAnyhow(std::string_view text, Options... options) {
  AllRecords whole = ReadText<Reader>(text, kChunkBytes, options...);
  STATOR_CHECK(SameRecords(whole, ReadText<Reader>(text, 1, options...)));
  STATOR_CHECK(SameRecords(whole, ReadText<Reader>(text, 1 + text.size() % 13, options...)));
  for (const Item& item : whole.items) STATOR_CHECK(IsWellFormedItem(item.encoded()));
  return whole;
}

}  // namespace stator::transfer::testing

#endif  // STATOR_TRANSFER_TESTING_READ_ALL_H_
