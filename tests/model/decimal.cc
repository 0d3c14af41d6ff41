#include "tests/model/decimal.h"

#include <algorithm>
#include <utility>

namespace stator::model_test {
namespace {

// Both numbers have the same length and stand for integers.
std::string AddDigits(const std::string& a, const std::string& b) {
  std::string sum(a.size() + 1, '0');
  int carry = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    const int digit = (a[i] - '0') + (b[i] - '0') + carry;
    sum[i + 1] = static_cast<char>('0' + digit % 10);
    carry = digit / 10;
  }
  sum[0] = static_cast<char>('0' + carry);
  return sum;
}

// REQUIRES: a >= b, both of the same length.
std::string SubtractDigits(const std::string& a, const std::string& b) {
  std::string difference(a.size() + 1, '0');
  int borrow = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    int digit = (a[i] - '0') - (b[i] - '0') - borrow;
    borrow = digit < 0 ? 1 : 0;
    if (digit < 0) digit += 10;
    difference[i + 1] = static_cast<char>('0' + digit);
  }
  return difference;
}

}  // namespace

Decimal Decimal::Normalized(bool negative, std::string digits, int exponent) {
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return {};
  digits.erase(0, first);
  digits.erase(digits.find_last_not_of('0') + 1);
  Decimal number;
  number.negative_ = negative;
  number.digits_ = std::move(digits);
  number.exponent_ = exponent - static_cast<int>(first);
  return number;
}

Decimal Decimal::Parse(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    exponent = std::stoi(std::string(text.substr(e + 1)));
    text = text.substr(0, e);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  exponent += static_cast<int>(point);
  if (point < text.size()) digits += text.substr(point + 1);
  return Normalized(negative, std::move(digits), exponent);
}

std::size_t Decimal::IntegerDigits() const {
  return exponent_ <= 0 ? 0 : static_cast<std::size_t>(exponent_);
}

std::string Decimal::Text() const {
  if (digits_.empty()) return "0";
  const std::size_t whole = IntegerDigits();
  std::string text = negative_ ? "-" : "";
  if (whole == 0) {
    text += "0." + std::string(static_cast<std::size_t>(-exponent_), '0') + digits_;
  } else if (whole >= digits_.size()) {
    text += digits_ + std::string(whole - digits_.size(), '0');
  } else {
    text += digits_.substr(0, whole) + "." + digits_.substr(whole);
  }
  return text;
}

std::size_t Decimal::SizeBytes() const {
  if (digits_.empty()) return 1;
  // Zeros between the digits and the point are not significant.
  const std::size_t whole = std::min(IntegerDigits(), digits_.size());
  const std::size_t fraction = digits_.size() - whole;
  return 1 + (whole + 1) / 2 + (fraction + 1) / 2 + (negative_ ? 1 : 0);
}

Decimal Decimal::Negated() const {
  Decimal result = *this;
  if (!digits_.empty()) result.negative_ = !negative_;
  return result;
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  const int exponent = std::max(a.exponent_, b.exponent_);
  std::string x = std::string(static_cast<std::size_t>(exponent - a.exponent_), '0') + a.digits_;
  std::string y = std::string(static_cast<std::size_t>(exponent - b.exponent_), '0') + b.digits_;
  const std::size_t length = std::max(x.size(), y.size());
  x.resize(length, '0');
  y.resize(length, '0');
  if (a.negative_ == b.negative_) {
    return Decimal::Normalized(a.negative_, AddDigits(x, y), exponent + 1);
  }
  if (x >= y) return Decimal::Normalized(a.negative_, SubtractDigits(x, y), exponent + 1);
  return Decimal::Normalized(b.negative_, SubtractDigits(y, x), exponent + 1);
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const auto sign = [](const Decimal& n) { return n.digits_.empty() ? 0 : n.negative_ ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  if (sign(a) == 0) return std::strong_ordering::equal;
  const Decimal& low = a.negative_ ? b : a;
  const Decimal& high = a.negative_ ? a : b;
  if (low.exponent_ != high.exponent_) return low.exponent_ <=> high.exponent_;
  return low.digits_.compare(high.digits_) <=> 0;
}

}  // namespace stator::model_test
