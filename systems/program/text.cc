#include "systems/program/text.h"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace stator::systems {
namespace {

using std::chrono::milliseconds;

// Takes what it recognises off the front of a text.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  // Exactly `digits` digits.
  std::optional<int> Number(std::size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  bool Take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    taken_ = rest_.front();
    rest_.remove_prefix(1);
    return true;
  }
  char taken() const { return taken_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  char taken_ = 0;
};

std::optional<std::chrono::sys_days> ReadDay(TimeReader& reader) {
  const auto year = reader.Number(4);
  if (!year || !reader.Take("-")) return std::nullopt;
  const auto month = reader.Number(2);
  if (!month || !reader.Take("-")) return std::nullopt;
  const auto day = reader.Number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

// HH:MM, as a length.
std::optional<milliseconds> ReadHourAndMinute(TimeReader& reader) {
  const auto hour = reader.Number(2);
  if (!hour || *hour > 23 || !reader.Take(":")) return std::nullopt;
  const auto minute = reader.Number(2);
  if (!minute || *minute > 59) return std::nullopt;
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute);
}

std::optional<milliseconds> ReadFraction(TimeReader& reader) {
  int value = 0;
  int digits = 0;
  for (; auto digit = reader.Number(1); ++digits) {
    if (digits < 3) value = value * 10 + *digit;
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 3; ++digits) value *= 10;
  return milliseconds(value);
}

std::optional<milliseconds> ReadZone(TimeReader& reader) {
  if (reader.Take("Zz")) return milliseconds(0);
  if (!reader.Take("+-")) return std::nullopt;
  const bool east = reader.taken() == '+';
  const auto offset = ReadHourAndMinute(reader);
  if (!offset) return std::nullopt;
  return east ? *offset : -*offset;
}

}  // namespace

std::optional<TimeMs> ParseTime(std::string_view text) {
  TimeReader reader(text);
  const auto day = ReadDay(reader);
  if (!day || !reader.Take("Tt ")) return std::nullopt;
  const auto minutes = ReadHourAndMinute(reader);
  if (!minutes || !reader.Take(":")) return std::nullopt;
  const auto seconds = reader.Number(2);
  if (!seconds || *seconds > 59) return std::nullopt;
  milliseconds within = *minutes + std::chrono::seconds(*seconds);
  if (reader.Take(".")) {
    const auto fraction = ReadFraction(reader);
    if (!fraction) return std::nullopt;
    within += *fraction;
  }
  const auto zone = ReadZone(reader);
  if (!zone || !reader.at_end()) return std::nullopt;
  const TimeMs time = TimeMs(*day) + within - *zone;
  if (time < kClockMin || time > kClockMax) return std::nullopt;
  return time;
}

std::string SortableTime(TimeMs time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss within(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     within.hours().count(), within.minutes().count(), within.seconds().count(),
                     within.subseconds().count());
}

std::string ShortTime(TimeMs time) {
  std::string text = SortableTime(time);
  constexpr std::string_view kNoMilliseconds = ".000Z";
  if (text.ends_with(kNoMilliseconds)) text.replace(text.size() - kNoMilliseconds.size(), 5, "Z");
  return text;
}

bool IsDate(std::string_view text) {
  TimeReader reader(text);
  return ReadDay(reader) && reader.at_end();
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string Base64(std::string_view bytes) {
  // EncodeBlock ends its text with a zero byte.
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length = EVP_EncodeBlock(Raw(text), Raw(bytes), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  if (text.size() % 4 != 0 || text.size() > 1'000'000) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length = EVP_DecodeBlock(Raw(bytes), Raw(text), static_cast<int>(text.size()));
  if (length < 0) return std::nullopt;
  // DecodeBlock counts the padding as zero bytes.
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  bytes.resize(static_cast<std::size_t>(length) - padding);
  if (Base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace stator::systems
