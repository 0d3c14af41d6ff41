#include "value/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "value/base64.h"
#include "value/json_text.h"

namespace stator {

void JsonWriter::Comma() {
  if (out_.empty()) return;
  switch (out_.back()) {
    case '{':
    case '[':
    case ':':
    case '\n':
      return;  // the end of what precedes the document
    default:
      out_.push_back(',');
  }
}

JsonWriter& JsonWriter::BeginObject() {
  Comma();
  out_.push_back('{');
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  out_.push_back('}');
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  Comma();
  out_.push_back('[');
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  out_.push_back(']');
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  Comma();
  OutputCursor out(out_);
  WriteJsonText(out, "\"", key, "\":");
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view utf8) {
  Comma();
  OutputCursor out(out_);
  WriteJsonText(out, "\"", utf8, "\"");
  return *this;
}

JsonWriter& JsonWriter::Base64(std::string_view bytes) {
  Comma();
  out_.push_back('"');
  AppendBase64(out_, bytes);
  out_.push_back('"');
  return *this;
}

JsonWriter& JsonWriter::Integer(std::int64_t value) {
  Comma();
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out_.append(text.data(), end);
  return *this;
}

JsonWriter& JsonWriter::Units(double value) {
  Comma();
  std::array<char, 400> text;  // the longest double without an exponent has 309 digits
  const double finite = std::isfinite(value) ? value : 0.0;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), finite, std::chars_format::fixed).ptr;
  const std::string_view shortest(text.data(), static_cast<std::size_t>(end - text.data()));
  out_.append(shortest);
  if (shortest.find('.') == std::string_view::npos) out_.append(".0");
  return *this;
}

JsonWriter& JsonWriter::TimestampMs(std::int64_t epoch_ms) {
  Comma();
  if (epoch_ms < 0) out_.push_back('-');
  const auto bits = static_cast<std::uint64_t>(epoch_ms);
  const std::uint64_t magnitude = epoch_ms < 0 ? 0 - bits : bits;
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), magnitude / 1000).ptr;
  out_.append(text.data(), end);
  const auto millis = static_cast<unsigned>(magnitude % 1000);
  const auto digit = [](unsigned value) { return static_cast<char>('0' + value % 10); };
  const std::array<char, 4> fraction = {'.', digit(millis / 100), digit(millis / 10),
                                        digit(millis)};
  out_.append(fraction.data(), fraction.size());
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) { return Raw(value ? "true" : "false"); }

JsonWriter& JsonWriter::Null() { return Raw("null"); }

std::string& JsonWriter::BeginValue() {
  Comma();
  return out_;
}

JsonWriter& JsonWriter::Raw(std::string_view json) {
  Comma();
  out_.append(json);
  return *this;
}

}  // namespace stator
