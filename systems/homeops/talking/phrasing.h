// How the bot says things in Swedish.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_PHRASING_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_PHRASING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace stator::systems::homeops {

// "i dag kl. 14:30", "i går kl. 18:05", "i tisdags kl. 18:05", "3 mars kl. 18:05", "3 mars 2025 kl.
// 18:05".
std::string WhenText(std::int64_t at, std::int64_t now);

// "inte en enda gång", "en gång", "3 gånger".
std::string TimesText(std::int64_t count);

// "diskning", "diskning och tvätt", "diskning, tvätt och handling".
std::string ListText(const std::vector<std::string>& parts);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_PHRASING_H_
