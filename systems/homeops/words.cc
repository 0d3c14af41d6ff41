#include "systems/homeops/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace stator::systems::homeops {
namespace {

// Å, Ä and Ö (and the other letters of this row) are C3 80…9E, their small forms 20 further. A letter
// that was typed as a or o with a combining mark behind it is put together.
void Append(std::string& word, std::string_view text, std::size_t& at) {
  const auto c = static_cast<unsigned char>(text[at]);
  const auto next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1])
                                         : static_cast<unsigned char>(0);
  if (c == 0xC3 && next >= 0x80 && next <= 0x9E && next != 0x97) {
    word += {static_cast<char>(c), static_cast<char>(next + 0x20)};
    ++at;
    return;
  }
  if (c == 0xCC && !word.empty() && (next == 0x88 || next == 0x8A)) {
    const char base = word.back();
    const bool ring = next == 0x8A;
    if (base == 'a' || (base == 'o' && !ring)) {
      word.pop_back();
      word += base == 'o' ? "ö" : ring ? "å" : "ä";
      ++at;
      return;
    }
  }
  word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : static_cast<char>(c);
}

bool IsPartOfAWord(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '/';
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (IsPartOfAWord(text[at])) {
      Append(word, text, at);
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string Normalised(std::string_view text) {
  return fmt::to_string(fmt::join(WordsOf(text), " "));
}

bool ContainsPhrase(const std::vector<std::string>& words, const std::vector<std::string>& phrase) {
  return !phrase.empty() && !std::ranges::search(words, phrase).empty();
}

}  // namespace stator::systems::homeops
