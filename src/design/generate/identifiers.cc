#include "generate/identifiers.h"

namespace stator::model {
namespace {

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char Upper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

// "fileId" splits before the I, "GSI1PK" before the P, "XMLFile" before the F.
bool StartsWord(std::string_view name, std::size_t at) {
  if (at == 0 || !IsUpper(name[at])) return false;
  const char before = name[at - 1];
  if (IsLower(before) || IsDigit(before)) return true;
  return IsUpper(before) && at + 1 < name.size() && IsLower(name[at + 1]);
}

std::string Capitalized(std::string word) {
  word[0] = Upper(word[0]);
  return word;
}

// Identifiers do not begin with a digit.
std::string LetterFirst(std::string name) { return IsDigit(name[0]) ? "n" + name : name; }

}  // namespace

std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words;
  bool fresh = true;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (!IsUpper(c) && !IsLower(c) && !IsDigit(c)) {
      fresh = true;
      continue;
    }
    if (fresh || StartsWord(name, at)) words.emplace_back();
    words.back() += Lower(c);
    fresh = false;
  }
  if (words.empty()) words.emplace_back("unnamed");
  return words;
}

std::string SnakeName(std::string_view name) {
  std::string out;
  for (const std::string& word : WordsOf(name)) out += (out.empty() ? "" : "_") + word;
  return LetterFirst(std::move(out));
}

std::string PascalName(std::string_view name) {
  std::string out;
  for (const std::string& word : WordsOf(name)) out += Capitalized(word);
  return IsDigit(out[0]) ? "N" + out : out;
}

std::string CamelName(std::string_view name) {
  std::string out;
  for (const std::string& word : WordsOf(name)) out += out.empty() ? word : Capitalized(word);
  return LetterFirst(std::move(out));
}

std::string NameSet::Add(std::string name) {
  std::string candidate = name;
  for (int number = 2; !taken_.insert(candidate).second; ++number) {
    candidate = name + std::to_string(number);
  }
  return candidate;
}

}  // namespace stator::model
