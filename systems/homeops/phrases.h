// What people of a household write to each other.
#ifndef STATOR_SYSTEMS_HOMEOPS_PHRASES_H_
#define STATOR_SYSTEMS_HOMEOPS_PHRASES_H_

#include <span>
#include <string_view>

namespace stator::systems::homeops {

struct Phrase {
  std::string_view text;
  std::string_view activity;  // "none": nothing was done
};

// In words that the bot knows from the start.
std::span<const Phrase> DonePhrases();
// "{}" of "nu har jag {}", and what is meant by it: unknown until somebody says so.
std::span<const Phrase> SlangPhrases();
// Wishes, plans, questions and denials, then talk.
std::span<const std::string_view> NotDonePhrases();
std::span<const std::string_view> TalkPhrases();

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_PHRASES_H_
