#include "transfer/ion/binary_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "transfer/ion/reader.h"
#include "transfer/ion/testing/binary_writer.h"
#include "transfer/testing/read_all.h"
#include "value/testing/arbitrary.h"

namespace stator::transfer {
namespace binary_test {

using stator::testing::DrawItem;
using testing::AllRecords;
using testing::IonBinaryWriter;
using testing::ReadText;
using testing::Tagged;
using testing::VarUInt;

AllRecords Read(std::string_view bytes, std::size_t chunk_bytes = kChunkBytes) {
  return ReadText<IonReader>(bytes, chunk_bytes);
}

// The stream of one item with the attribute a.
std::string ItemWith(std::string_view value) {
  IonBinaryWriter writer;
  writer.Append(writer.StructOf({{"Item", writer.StructOf({{"a", std::string(value)}})}}));
  return writer.Finish();
}

AttributeValue One(std::string_view value) {
  const AllRecords all = Read(ItemWith(value));
  if (all.items.size() != 1) {
    ADD_FAILURE() << (all.problems.empty() ? all.ending : all.problems[0]);
    return AttributeValue::String("none");
  }
  return AttributeValue::FromView(all.items[0].Find("a").value());
}

TEST(IonBinary, ItemsComeBack) {
  EXPECT_TRUE(rc::check([] {
    IonBinaryWriter writer;
    std::vector<Item> items;
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
      items.push_back(DrawItem());
      writer.AddItem(items.back().view());
    }
    const AllRecords all = Read(writer.Finish(), *rc::gen::inRange<std::size_t>(1, 50));
    RC_ASSERT(all.problems == std::vector<std::string>());
    RC_ASSERT(all.ending == "");
    RC_ASSERT(all.items == items);
  }));
}

TEST(IonBinary, AKnownStreamIsRead) {
  // $ion_1_0 $ion_symbol_table::{symbols:["Item","Id"]} {Item:{Id:103.}}
  const std::string_view bytes(
      "\xE0\x01\x00\xEA"
      "\xED\x81\x83\xDA\x87\xB8\x84Item\x82\x49\x64"
      "\xD6\x8A\xD4\x8B\x52\x80\x67",
      25);
  const AllRecords all = Read(bytes);
  EXPECT_EQ(all.ending, "");
  EXPECT_EQ(all.items, std::vector{(Item{{"Id", 103}})});
}

TEST(IonBinary, FloatsAreNumbers) {
  EXPECT_EQ(One("\x40"), AttributeValue::Number("0"));
  EXPECT_EQ(One(std::string_view("\x44\x3F\xC0\x00\x00", 5)), AttributeValue::Number("1.5"));
  EXPECT_EQ(One(std::string_view("\x48\x40\x09\x21\xFB\x54\x44\x2D\x18", 9)),
            AttributeValue::Number("3.141592653589793"));
  EXPECT_EQ(Read(ItemWith(std::string_view("\x44\x7F\x80\x00\x00", 5))).problems.size(), 1U);
  EXPECT_EQ(Read(ItemWith("\x42zz")).problems.size(), 1U);
}

TEST(IonBinary, NullsSymbolsAndPaddingAreUnderstood) {
  EXPECT_EQ(One("\x8F"), AttributeValue::Null());
  EXPECT_EQ(One("\x71\x04"), AttributeValue::String("name"));
  EXPECT_EQ(One(Tagged(11, std::string_view("\x00\x01\xFF\x21\x07", 5))),
            AttributeValue::List({AttributeValue(7)}));
}

TEST(IonBinary, AListAtTheTopIsAListOfItems) {
  IonBinaryWriter writer;
  const std::string item = writer.StructOf({{"Item", writer.StructOf({{"a", "\x11"}})}});
  writer.Append(Tagged(11, item + item));
  EXPECT_EQ(Read(writer.Finish()).items.size(), 2U);
}

TEST(IonBinary, ATimestampIsRefusedAndTheNextRecordRead) {
  IonBinaryWriter writer;
  const std::string when = Tagged(6, "\x80\x0F\xD0\x81\x81");
  writer.Append(writer.StructOf({{"Item", writer.StructOf({{"a", when}})}}));
  writer.AddItem(Item{{"a", 1}}.view());
  const AllRecords all = Read(writer.Finish());
  ASSERT_EQ(all.problems.size(), 1U);
  EXPECT_NE(all.problems[0].find("timestamp"), std::string::npos);
  EXPECT_EQ(all.items.size(), 1U);
  EXPECT_EQ(all.places[0].line, 0U);
}

TEST(IonBinary, SymbolsOfSharedTablesAreNotKnown) {
  // imports:[{name:"t", version:1, max_id:100}], symbols:["Item"]: Item is 110.
  const std::string import =
      Tagged(13, VarUInt(4) + Tagged(8, "t") + VarUInt(5) + "\x21\x01" + VarUInt(8) + "\x21\x64");
  const std::string table =
      VarUInt(6) + Tagged(11, import) + VarUInt(7) + Tagged(11, Tagged(8, "Item"));
  const std::string stream =
      std::string(kIonVersionMarker) + Tagged(14, VarUInt(1) + VarUInt(3) + Tagged(13, table));
  const auto item = [](std::uint64_t name) {
    return Tagged(13, VarUInt(name) + Tagged(13, VarUInt(4) + "\x11"));
  };
  const AllRecords all = Read(stream + item(110) + item(10));
  EXPECT_EQ(all.items, std::vector{(Item{{"name", true}})});
  EXPECT_EQ(all.problems, std::vector<std::string>{"the symbol $10 is not known"});
}

TEST(IonBinary, AStreamThatEndsTooEarlyIsAnError) {
  IonBinaryWriter writer;
  const Item item{{"name", "a text of some length"}, {"n", 12345}};
  const std::string value = writer.StructOf({{"Item", writer.Struct(item.view())}});
  const std::size_t begin = writer.Finish().size();
  writer.Append(value);
  const std::string bytes = writer.Finish();
  for (std::size_t length = kIonVersionMarker.size() + 1; length < bytes.size(); ++length) {
    const AllRecords all = Read(bytes.substr(0, length));
    EXPECT_TRUE(all.items.empty());
    EXPECT_EQ(all.ending.empty(), length == begin) << length;
  }
}

TEST(IonBinary, AnyDamageIsAnErrorOrAnotherItem) {
  EXPECT_TRUE(rc::check([] {
    IonBinaryWriter writer;
    writer.AddItem(DrawItem().view());
    std::string bytes = writer.Finish();
    const auto at = *rc::gen::inRange<std::size_t>(kIonVersionMarker.size(), bytes.size());
    bytes[at] = *rc::gen::arbitrary<char>();
    const AllRecords all = Read(bytes);
    RC_ASSERT(all.items.size() <= bytes.size());
  }));
}

TEST(IonBinary, AShortSymbolCannotMakeALongRecord) {
  IonBinaryWriter writer;
  const std::uint64_t id = writer.Symbol(std::string(100'000, 'x'));
  std::string list;
  for (int i = 0; i < 10'000; ++i) list.append(Tagged(7, testing::UIntBytes(id)));
  writer.Append(writer.StructOf({{"Item", writer.StructOf({{"a", Tagged(11, list)}})}}));
  const AllRecords all = Read(writer.Finish());
  EXPECT_EQ(all.problems, std::vector<std::string>{"a record is too long"});
}

TEST(IonBinary, DeepNestingIsRefused) {
  std::string value = "\x0F";
  for (int i = 0; i < 1000; ++i) value = Tagged(11, value);
  EXPECT_NE(Read(ItemWith(value)).problems.at(0).find("nested too deep"), std::string::npos);
  for (int i = 0; i < 1000; ++i) value = Tagged(14, "\x81\x84" + value);
  EXPECT_FALSE(Read(ItemWith(value)).problems.empty());
}

TEST(IonBinary, BigIntegersKeepTheirDigits) {
  for (const char* digits : {"0", "9", "4294967296", "99999999999999999999999999999999999999"}) {
    EXPECT_EQ(One(IonBinaryWriter::NumberBytes(digits)), AttributeValue::Number(digits));
  }
  EXPECT_EQ(Read(ItemWith(Tagged(2, std::string(1000, '\xFF')))).problems.size(), 1U);
}

}  // namespace binary_test
}  // namespace stator::transfer
