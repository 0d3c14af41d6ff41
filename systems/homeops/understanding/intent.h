// What a message asks of the bot, besides telling what was done: answers to it, and commands.
//
//   Nej, jag menade tvätt · Ja · Nej · Ångra · Hjälp
//   Häckklippning är en aktivitet: klippt häcken, klippte häcken
//   Meditation är en vila · "kört en maskin" betyder tvätt
#ifndef STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_INTENT_H_
#define STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_INTENT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/homeops/memory/message.h"
#include "systems/homeops/understanding/classifier.h"

namespace stator::systems::homeops {

// nullopt: nothing is asked, and the classifier has the word. Which message is meant is not known
// yet, unless a button says it.
std::optional<Decision> IntentOf(const Message& message, const Vocabulary& vocabulary);

// What "häckklippning är en aktivitet: klippt häcken, klippte häcken" teaches. nullopt if it
// teaches nothing, or its name is longer than 40 bytes or 4 words.
std::optional<KnownActivity> TaughtActivity(std::string_view text);

// What people may ask of it, in its own words.
std::string HelpText();

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UNDERSTANDING_INTENT_H_
