// Random keys, values, items and conditions. Few of each, so that they meet again and again.
#ifndef STATOR_TESTS_ORACLE_RANDOM_VALUES_H_
#define STATOR_TESTS_ORACLE_RANDOM_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/oracle/expressions.h"
#include "tests/oracle/schema.h"
#include "tests/oracle/value.h"

namespace stator::oracle {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // REQUIRES: bound > 0.
  std::size_t Below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_);
  }
  bool Chance(std::size_t percent) { return Below(100) < percent; }
  double Fraction() { return std::uniform_real_distribution<double>(0, 1)(engine_); }
  template <class T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}
  Random& random() { return random_; }

  Key AnyKey();
  // A number in one of its many spellings.
  Value AnyNumber();
  Value Respelled(const Value& number);
  // A value that fits the key attribute; few different ones.
  Value AnyKeyValue(const KeyPart& part);
  Value AnySet(Kind kind);
  // Any kind; nested to `depth`.
  Value AnyValue(int depth);

  // `large` makes items of hundreds of kilobytes likely.
  Attributes AnyItem(const Key& key, bool large);
  // A fitting value for the attribute; rarely one of another type, or an empty key.
  Value AnyValueFor(const std::string& attribute);

  // Attributes that are no key of anything, and paths into them.
  static const std::vector<std::string>& PlainAttributes();
  static const std::vector<std::string>& AllAttributes();
  Path AnyPath(const std::vector<std::string>& attributes);
  // Paths of which none is a prefix of another.
  std::vector<Path> AnyProjection(const std::vector<std::string>& attributes);
  // About these attributes only.
  Condition AnyCondition(const std::vector<std::string>& attributes, int depth);

 private:
  std::string AnyText();
  std::string AnyBytes();
  Value AnyDocument(int depth);
  Value AnyBigText(bool large);
  Condition AnyTest(const std::vector<std::string>& attributes);
  Value AnyOrderedValue(Kind kind);

  Random random_;
};

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_RANDOM_VALUES_H_
