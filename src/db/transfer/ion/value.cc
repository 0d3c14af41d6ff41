#include "transfer/ion/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/try.h"

namespace stator::transfer {
namespace {

constexpr std::array<std::string_view, 10> kSystemSymbols = {
    "",        "$ion",    "$ion_1_0", "$ion_symbol_table",       "name", "version",
    "imports", "symbols", "max_id",   "$ion_shared_symbol_table"};

constexpr std::size_t kLocalSymbolsMax = 1 << 18;
constexpr std::size_t kLocalBytesMax = 16 * 1024 * 1024;
constexpr std::uint64_t kUnknownSymbolsMax = 1U << 31;

const IonValue* FirstField(const IonValue& table, std::string_view name) {
  for (const IonValue& field : table.elements) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

}  // namespace

std::string_view IonTypeName(IonType type) {
  switch (type) {
    case IonType::kNull:
      return "null";
    case IonType::kBool:
      return "bool";
    case IonType::kInt:
      return "int";
    case IonType::kFloat:
      return "float";
    case IonType::kDecimal:
      return "decimal";
    case IonType::kTimestamp:
      return "timestamp";
    case IonType::kSymbol:
      return "symbol";
    case IonType::kString:
      return "string";
    case IonType::kClob:
      return "clob";
    case IonType::kBlob:
      return "blob";
    case IonType::kList:
      return "list";
    case IonType::kSexp:
      return "sexp";
    case IonType::kStruct:
      return "struct";
  }
  return {};
}

IonResult<std::string> DecimalDigits(std::string_view magnitude) {
  constexpr std::size_t kBytesMax = 64;  // 10^126 has 53
  const std::size_t first = magnitude.find_first_not_of('\0');
  if (first == std::string_view::npos) return "0";
  magnitude.remove_prefix(first);
  if (magnitude.size() > kBytesMax) return std::unexpected("an integer has too many digits");
  // Divides by 10^9 until nothing is left.
  constexpr std::uint64_t kBase = 1'000'000'000;
  constexpr int kBaseDigits = 9;
  std::string rest(magnitude);
  std::string digits;  // last digit first
  while (rest.find_first_not_of('\0') != std::string::npos) {
    std::uint64_t remainder = 0;
    for (char& byte : rest) {
      const std::uint64_t part = remainder << 8 | static_cast<unsigned char>(byte);
      byte = static_cast<char>(part / kBase);
      remainder = part % kBase;
    }
    for (int i = 0; i < kBaseDigits; ++i, remainder /= 10) {
      digits.push_back(static_cast<char>('0' + remainder % 10));
    }
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  std::ranges::reverse(digits);
  return digits;
}

bool IonSymbols::IsTable(const IonValue& value) {
  return value.type == IonType::kStruct && value.annotation == kSystemSymbols[3];
}

IonResult<void> IonSymbols::Take(const IonValue& table) {
  const IonValue* imports = FirstField(table, "imports");
  const bool adds =
      imports != nullptr && imports->type == IonType::kSymbol && imports->text == kSystemSymbols[3];
  if (!adds) Reset();
  if (imports != nullptr && imports->type == IonType::kList) {
    RETURN_IF_ERROR(TakeImports(*imports));
  }
  const IonValue* symbols = FirstField(table, "symbols");
  if (symbols != nullptr && symbols->type == IonType::kList) RETURN_IF_ERROR(Add(*symbols));
  return {};
}

IonResult<void> IonSymbols::TakeImports(const IonValue& imports) {
  for (const IonValue& import : imports.elements) {
    const IonValue* max_id = FirstField(import, "max_id");
    std::uint64_t count = 0;
    if (max_id == nullptr || max_id->type != IonType::kInt || max_id->is_null) {
      return std::unexpected("a symbol table imports one that is not known");
    }
    const std::string& text = max_id->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    unknown_count_ += count;
    if (error != std::errc() || count > kUnknownSymbolsMax || unknown_count_ > kUnknownSymbolsMax) {
      return std::unexpected("a symbol table imports too many symbols");
    }
  }
  return {};
}

IonResult<void> IonSymbols::Add(const IonValue& symbols) {
  for (const IonValue& symbol : symbols.elements) {
    local_bytes_ += symbol.text.size();
    if (local_.size() >= kLocalSymbolsMax || local_bytes_ > kLocalBytesMax) {
      return std::unexpected("a symbol table is too large");
    }
    local_.push_back(symbol.text);
  }
  return {};
}

IonResult<std::string_view> IonSymbols::Text(std::uint64_t id) const {
  if (id != 0 && id < kSystemSymbols.size()) return kSystemSymbols[id];
  const std::uint64_t first_local = kSystemSymbols.size() + unknown_count_;
  if (id >= first_local && id - first_local < local_.size()) return local_[id - first_local];
  return std::unexpected(fmt::format("the symbol ${} is not known", id));
}

}  // namespace stator::transfer
