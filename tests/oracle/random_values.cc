#include "tests/oracle/random_values.h"

#include <algorithm>
#include <utility>

namespace stator::oracle {

Key RandomValues::AnyKey() {
  static const std::vector<std::string> partitions = {"a", "a", "a", "b", "b", "c", "\xC3\xA4"};
  static const std::vector<std::string> sorts = {
      "-100", "-2.5", "-1", "0", "0.05", "1", "2", "3", "10", "12345678901234567890", "1e-7"};
  std::string pk = random_.Pick(partitions);
  return {std::move(pk), Respelled(Value::N(random_.Pick(sorts)))};
}

Value RandomValues::Respelled(const Value& number) {
  const std::string plain = number.number.Text();
  const bool negative = plain[0] == '-';
  const bool fraction = plain.find('.') != std::string::npos;
  const std::string digits = plain.substr(negative ? 1 : 0);
  const std::string sign = negative ? "-" : "";
  switch (random_.Below(7)) {
    case 0:
      return Value::N(plain + (fraction ? "00" : ".0"));
    case 1:
      return Value::N(plain + "e0");
    case 2:
      return Value::N(sign + "00" + digits);
    case 3:
      return Value::N(negative ? plain : "+" + plain);
    case 4:
      return Value::N(plain + "E+00");
    case 5:
      return fraction ? Value::N(plain) : Value::N(plain + "0e-1");
    default:
      return Value::N(plain);
  }
}

Value RandomValues::AnyNumber() {
  static const std::vector<std::string> pool = {"0",    "-0",  "1",    "2",      "-1",  "7",
                                                "0.5",  "-3",  "1.05", "1000",   "100", "1.005",
                                                "1e10", "-42", "0.15", "123.456"};
  return Respelled(Value::N(random_.Pick(pool)));
}

std::string RandomValues::AnyText() {
  static const std::vector<std::string> pool = {"",
                                                "a",
                                                "ab",
                                                "abc",
                                                "b",
                                                "x y",
                                                "\xC3\xBC",
                                                "\xF0\x9F\x98\x80",
                                                "\xEF\xBF\xBD",
                                                "zz",
                                                "A",
                                                "ba",
                                                std::string("nul\0in", 6)};
  return random_.Pick(pool);
}

std::string RandomValues::AnyBytes() {
  static const std::vector<std::string> pool = {
      std::string("\0", 1), std::string("\0\0", 2), "\x7F", "\x80", "\xFF", "\x01\xFF", "ab", ""};
  return random_.Pick(pool);
}

Value RandomValues::AnyKeyValue(const KeyPart& part) {
  // Partitions of an index must hold several items to have an order.
  static const std::vector<std::string> colors = {"red", "\xC3\xBC", "\xF0\x9F\x98\x80"};
  if (part.name == "color") return Value::S(random_.Pick(colors));
  if (part.name == "zone") return Value::S(random_.Chance(60) ? "north" : "south");
  if (part.name == "flag") return Value::S(random_.Chance(50) ? "on" : "off");
  if (part.kind == Kind::kN) return AnyNumber();
  std::string text;
  while (text.empty()) text = part.kind == Kind::kS ? AnyText() : AnyBytes();
  return part.kind == Kind::kS ? Value::S(text) : Value::B(text);
}

Value RandomValues::AnySet(Kind kind) {
  std::vector<Value> members;
  for (std::size_t i = 1 + random_.Below(4); i > 0; --i) {
    switch (kind) {
      case Kind::kSS:
        members.push_back(Value::S(AnyText()));
        break;
      case Kind::kNS:
        members.push_back(AnyNumber());
        break;
      default:
        members.push_back(Value::B(AnyBytes()));
    }
  }
  return Value::Set(kind, std::move(members));
}

Value RandomValues::AnyDocument(int depth) {
  static const std::vector<std::string> names = {"a", "b", "c", "list"};
  Attributes entries;
  for (const std::string& name : names) {
    if (!random_.Chance(55)) continue;
    std::vector<Value> elements;
    for (std::size_t i = random_.Below(3); name == "list" && i > 0; --i) {
      elements.push_back(AnyValue(depth - 1));
    }
    entries[name] = name == "list" ? Value::List(std::move(elements)) : AnyValue(depth - 1);
  }
  return Value::Map(std::move(entries));
}

Value RandomValues::AnyValue(int depth) {
  switch (random_.Below(depth > 0 ? 10 : 8)) {
    case 0:
      return Value::S(AnyText());
    case 1:
      return AnyNumber();
    case 2:
      return Value::B(AnyBytes());
    case 3:
      return Value::Bool(random_.Chance(50));
    case 4:
      return Value::Null();
    case 5:
      return AnySet(Kind::kSS);
    case 6:
      return AnySet(Kind::kNS);
    case 7:
      return AnySet(Kind::kBS);
    case 8:
      return AnyDocument(depth);
    default:
      break;
  }
  std::vector<Value> elements;
  for (std::size_t i = random_.Below(4); i > 0; --i) elements.push_back(AnyValue(depth - 1));
  return Value::List(std::move(elements));
}

// Around the borders of the blocks that units count, and sometimes of a page.
Value RandomValues::AnyBigText(bool large) {
  static const std::vector<std::size_t> borders = {200, 1000, 1024, 2048, 3900, 4096, 9000};
  std::size_t length = random_.Pick(borders) + random_.Below(120) - 60;
  if (large && random_.Chance(60)) length = 100'000 + random_.Below(250'000);
  return Value::S(std::string(length, static_cast<char>('a' + random_.Below(26))));
}

Value RandomValues::AnyValueFor(const std::string& attribute) {
  for (const KeyPart& part : Schema::IndexKeyParts()) {
    if (part.name != attribute) continue;
    const std::size_t oddity = random_.Below(100);
    if (oddity == 0) return AnyValue(1);
    if (oddity == 1) return part.kind == Kind::kB ? Value::B("") : Value::S("");
    return AnyKeyValue(part);
  }
  if (attribute == "pk") return Value::S(AnyKey().pk);
  if (attribute == "sk") return AnyKey().sk;
  if (random_.Chance(5)) return AnyValue(1);
  if (attribute == "note") return random_.Chance(70) ? Value::S(AnyText()) : AnyValue(0);
  if (attribute == "doc") return AnyDocument(2);
  if (attribute == "tags") return AnySet(Kind::kSS);
  if (attribute == "nums") return AnySet(Kind::kNS);
  if (attribute == "bins") return AnySet(Kind::kBS);
  if (attribute == "count") return AnyNumber();
  if (attribute == "big") return AnyBigText(false);
  std::vector<Value> elements;
  for (std::size_t i = random_.Below(5); i > 0; --i) elements.push_back(AnyValue(1));
  return Value::List(std::move(elements));
}

Attributes RandomValues::AnyItem(const Key& key, bool large) {
  Attributes item = AsAttributes(key);
  // Half of the puts write a poor item: indexes lose entries.
  const std::size_t richness = random_.Chance(50) ? 75 : 35;
  for (const std::string& attribute : AllAttributes()) {
    const bool rare = attribute == "flag" || attribute == "big" || attribute == "bins";
    if (random_.Chance(rare ? richness / 3 : richness)) item[attribute] = AnyValueFor(attribute);
  }
  if (large) item["big"] = AnyBigText(true);
  return item;
}

const std::vector<std::string>& RandomValues::PlainAttributes() {
  static const std::vector<std::string> names = {"note", "doc",  "list",  "tags",
                                                 "nums", "bins", "count", "big"};
  return names;
}

const std::vector<std::string>& RandomValues::AllAttributes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = PlainAttributes();
    for (const KeyPart& part : Schema::IndexKeyParts()) all.push_back(part.name);
    return all;
  }();
  return names;
}

Path RandomValues::AnyPath(const std::vector<std::string>& attributes) {
  static const std::vector<std::string> names = {"a", "b", "c", "list"};
  Path path{random_.Pick(attributes), {}};
  if (path.attribute == "doc" && random_.Chance(70)) {
    path.below.emplace_back(random_.Pick(names));
    if (std::get<std::string>(path.below.back()) == "list" && random_.Chance(70)) {
      path.below.emplace_back(random_.Below(3));
    } else if (random_.Chance(20)) {
      path.below.emplace_back(random_.Pick(names));
    }
  } else if (path.attribute == "list" && random_.Chance(70)) {
    path.below.emplace_back(random_.Below(5));
    if (random_.Chance(20)) path.below.emplace_back(random_.Pick(names));
  }
  return path;
}

std::vector<Path> RandomValues::AnyProjection(const std::vector<std::string>& attributes) {
  std::vector<Path> paths;
  const auto overlaps = [](const Path& a, const Path& b) {
    if (a.attribute != b.attribute) return false;
    const std::size_t depth = std::min(a.below.size(), b.below.size());
    for (std::size_t i = 0; i < depth; ++i) {
      // A name and an index at the same place conflict.
      if (a.below[i].index() != b.below[i].index()) return true;
      if (a.below[i] != b.below[i]) return false;
    }
    return true;
  };
  for (std::size_t i = 1 + random_.Below(4); i > 0; --i) {
    const Path path = AnyPath(attributes);
    if (std::ranges::none_of(paths, [&](const Path& other) { return overlaps(path, other); })) {
      paths.push_back(path);
    }
  }
  return paths;
}

// Random conditions that DynamoDB accepts: operands are of the types that each operator takes.

namespace {

const std::vector<std::string> kComparators = {"=", "<>", "<", "<=", ">", ">="};
const std::vector<Kind> kOrdered = {Kind::kS, Kind::kN, Kind::kB};

}  // namespace

Value RandomValues::AnyOrderedValue(Kind kind) {
  if (kind == Kind::kN) return AnyNumber();
  return kind == Kind::kS ? Value::S(AnyText()) : Value::B(AnyBytes());
}

Condition RandomValues::AnyTest(const std::vector<std::string>& attributes) {
  static const std::vector<Condition::Form> forms = {
      Condition::Form::kCompare,      Condition::Form::kCompare,   Condition::Form::kCompare,
      Condition::Form::kComparePaths, Condition::Form::kSize,      Condition::Form::kBetween,
      Condition::Form::kIn,           Condition::Form::kExists,    Condition::Form::kExists,
      Condition::Form::kNotExists,    Condition::Form::kNotExists, Condition::Form::kHasType,
      Condition::Form::kBeginsWith,   Condition::Form::kContains,
  };
  Condition test{.form = random_.Pick(forms), .paths = {AnyPath(attributes)}};
  switch (test.form) {
    case Condition::Form::kCompare: {
      test.comparator = random_.Pick(kComparators);
      const bool equality = test.comparator == "=" || test.comparator == "<>";
      test.values = {equality ? AnyValueFor(test.paths[0].attribute)
                              : AnyOrderedValue(random_.Pick(kOrdered))};
      break;
    }
    case Condition::Form::kComparePaths:
      test.comparator = random_.Pick(kComparators);
      test.paths.push_back(AnyPath(attributes));
      // DynamoDB refuses to compare a path with itself.
      if (test.paths[0] == test.paths[1])
        test = {.form = Condition::Form::kExists, .paths = {test.paths[0]}};
      break;
    case Condition::Form::kSize:
      test.comparator = random_.Pick(kComparators);
      test.values = {Value::N(std::to_string(random_.Below(6)))};
      break;
    case Condition::Form::kBetween: {
      const Kind kind = random_.Pick(kOrdered);
      test.values = {AnyOrderedValue(kind), AnyOrderedValue(kind)};
      if (CompareScalars(test.values[0], test.values[1]) > 0) {
        std::swap(test.values[0], test.values[1]);
      }
      break;
    }
    case Condition::Form::kIn:
      for (std::size_t i = 1 + random_.Below(3); i > 0; --i) test.values.push_back(AnyValue(1));
      break;
    case Condition::Form::kHasType: {
      const auto kind = static_cast<Kind>(random_.Below(10));
      test.values = {Value::S(std::string(KindName(kind)))};
      break;
    }
    case Condition::Form::kBeginsWith:
      test.values = {AnyOrderedValue(random_.Chance(70) ? Kind::kS : Kind::kB)};
      break;
    case Condition::Form::kContains:
      test.values = {AnyValue(0)};
      break;
    default:
      break;
  }
  return test;
}

Condition RandomValues::AnyCondition(const std::vector<std::string>& attributes, int depth) {
  if (depth == 0 || random_.Chance(60)) return AnyTest(attributes);
  static const std::vector<Condition::Form> forms = {Condition::Form::kAnd, Condition::Form::kOr,
                                                     Condition::Form::kNot};
  Condition compound{.form = random_.Pick(forms)};
  compound.children.push_back(AnyCondition(attributes, depth - 1));
  if (compound.form != Condition::Form::kNot) {
    compound.children.push_back(AnyCondition(attributes, depth - 1));
  }
  return compound;
}

}  // namespace stator::oracle
