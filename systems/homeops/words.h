// Swedish text, made comparable.
#ifndef STATOR_SYSTEMS_HOMEOPS_WORDS_H_
#define STATOR_SYSTEMS_HOMEOPS_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

namespace stator::systems::homeops {

// The words of a text in small letters, without punctuation: "Har DISKAT nu!" gives har, diskat, nu.
std::vector<std::string> WordsOf(std::string_view text);

// The same, joined by spaces: the form in which aliases are kept and asked for.
std::string Normalised(std::string_view text);

// True if the words of `phrase` stand next to each other among `words`.
bool ContainsPhrase(const std::vector<std::string>& words, const std::vector<std::string>& phrase);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_WORDS_H_
