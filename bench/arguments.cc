#include "arguments.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace stator::bench {

Arguments::Arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}

void Arguments::Take(std::string_view name, std::string& value) {
  if (std::optional<std::string> text = TakeText(name)) value = *std::move(text);
}

void Arguments::TakeBytes(std::string_view name, std::size_t& value) {
  const std::optional<std::string> text = TakeText(name);
  if (!text) return;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  const std::string_view unit(end, text->data() + text->size());
  constexpr std::string_view kUnits[] = {"", "KB", "MB", "GB"};
  const auto* found = std::ranges::find(kUnits, unit);
  if (error != std::errc() || found == std::end(kUnits)) Refuse(name, *text);
  value <<= 10 * (found - kUnits);
}

std::optional<std::string> Arguments::TakeText(std::string_view name) {
  const auto found = std::ranges::find(words_, name);
  if (found == words_.end()) return std::nullopt;
  if (found + 1 == words_.end()) Refuse(name, "nothing");
  std::string text = *(found + 1);
  words_.erase(found, found + 2);
  return text;
}

bool Arguments::Flag(std::string_view name) { return std::erase(words_, name) > 0; }

std::string Arguments::Word() {
  if (words_.empty() || words_.front().starts_with("--")) return {};
  std::string word = words_.front();
  words_.erase(words_.begin());
  return word;
}

void Arguments::Finish() const {
  if (words_.empty()) return;
  std::fprintf(stderr, "%s is not an option of this program\n", words_.front().c_str());
  std::exit(2);
}

void Arguments::Refuse(std::string_view name, std::string_view text) {
  std::fprintf(stderr, "%.*s: %.*s is not a possible value\n", static_cast<int>(name.size()),
               name.data(), static_cast<int>(text.size()), text.data());
  std::exit(2);
}

}  // namespace stator::bench
