#include "transfer/ion/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "value/base64.h"
#include "value/number.h"

namespace stator::transfer {
namespace {

void AppendEscaped(std::string& out, std::string_view text, char quote) {
  out.push_back(quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out.append("\\n");
    } else if (c == '\r') {
      out.append("\\r");
    } else if (c == '\t') {
      out.append("\\t");
    } else if (byte < 0x20 || byte == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out.push_back(c);
    }
  }
  out.push_back(quote);
}

bool IsPlainSymbol(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty() || !is_letter(name.front())) return false;
  if (!std::ranges::all_of(name, [&](char c) { return is_letter(c) || is_digit(c); })) return false;
  // $10 is an id.
  if (name.front() == '$' && std::ranges::all_of(name.substr(1), is_digit)) return false;
  return name != "null" && name != "true" && name != "false" && name != "nan";
}

void AppendName(std::string& out, std::string_view name) {
  if (IsPlainSymbol(name)) {
    out.append(name);
  } else {
    AppendEscaped(out, name, '\'');
  }
}

void AppendBlob(std::string& out, std::string_view bytes) {
  out.append("{{");
  AppendBase64(out, bytes);
  out.append("}}");
}

void AppendEncodedDecimal(std::string& out, std::string_view encoded) {
  std::string text;
  AppendNumberText(text, encoded);
  AppendIonDecimal(out, text);
}

void AppendSet(std::string& out, SetView set) {
  out.append("$dynamodb_").append(TypeName(set.type())).append("::[");
  bool first = true;
  for (const std::string_view member : set.Members()) {
    if (!first) out.push_back(',');
    first = false;
    if (set.type() == Type::kSS) AppendEscaped(out, member, '"');
    if (set.type() == Type::kNS) AppendEncodedDecimal(out, member);
    if (set.type() == Type::kBS) AppendBlob(out, member);
  }
  out.push_back(']');
}

void AppendStruct(std::string& out, ItemView item);

void AppendValue(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return AppendEscaped(out, value.S(), '"');
    case Type::kN:
      return AppendEncodedDecimal(out, value.number());
    case Type::kB:
      return AppendBlob(out, value.B());
    case Type::kBool:
      out.append(value.Bool() ? "true" : "false");
      return;
    case Type::kNull:
      out.append("null");
      return;
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return AppendSet(out, value.Set());
    case Type::kM:
      return AppendStruct(out, value.Map());
    case Type::kL: {
      out.push_back('[');
      bool first = true;
      for (const ValueView element : value.List()) {
        if (!first) out.push_back(',');
        first = false;
        AppendValue(out, element);
      }
      out.push_back(']');
      return;
    }
  }
}

void AppendStruct(std::string& out, ItemView item) {
  out.push_back('{');
  bool first = true;
  for (const auto& [name, value] : item) {
    if (!first) out.push_back(',');
    first = false;
    AppendName(out, name);
    out.push_back(':');
    AppendValue(out, value);
  }
  out.push_back('}');
}

}  // namespace

void AppendIonDecimal(std::string& out, std::string_view number) {
  if (number.starts_with('-')) {
    out.push_back('-');
    number.remove_prefix(1);
  }
  const std::size_t point = number.find('.');
  if (point == std::string_view::npos) {
    const std::size_t zeros = number.size() - 1 - number.find_last_not_of('0');
    if (number == "0" || zeros == 0) {
      out.append(number).push_back('.');
    } else {
      out.append(number.substr(0, number.size() - zeros)).push_back('d');
      out.append(std::to_string(zeros));
    }
    return;
  }
  // A small fraction is written with an exponent, as 1d-20.
  constexpr std::size_t kLeadingZerosMax = 5;
  const std::string_view fraction = number.substr(point + 1);
  const std::size_t zeros = fraction.find_first_not_of('0');
  if (number.starts_with("0.") && zeros != std::string_view::npos && zeros > kLeadingZerosMax) {
    out.append(fraction.substr(zeros)).append("d-").append(std::to_string(fraction.size()));
  } else {
    out.append(number);
  }
}

void AppendIonItem(std::string& out, ItemView item) {
  out.append("$ion_1_0 {Item:");
  AppendStruct(out, item);
  out.append("}\n");
}

void AppendIonChange(std::string& out, const ChangeRecord& change, ExportView view) {
  out.append("$ion_1_0 {Record:{Metadata:{WriteTimestampMicros:");
  AppendIonDecimal(out, std::to_string(change.write_timestamp_us));
  out.append("},Keys:");
  AppendStruct(out, change.keys.view());
  if (change.old_image && view == ExportView::kNewAndOldImages) {
    out.append(",OldImage:");
    AppendStruct(out, change.old_image->view());
  }
  if (change.new_image) {
    out.append(",NewImage:");
    AppendStruct(out, change.new_image->view());
  }
  out.append("}}\n");
}

}  // namespace stator::transfer
