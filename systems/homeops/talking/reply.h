// What the bot says: a text, and buttons below it.
//
// A button carries what it does as text of at most 64 bytes, as Telegram allows:
//
//   undo:ID               takes back what message ID did
//   mean:ID:DEED:NAME     deed number DEED, from 1, of message ID was the activity NAME
//   who:ID:USER           message ID is about this user
//   yes:ID, no:ID         answers what the bot asked after message ID
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_REPLY_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_REPLY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/item.h"
#include "systems/homeops/memory/message.h"

namespace stator::systems::homeops {

inline constexpr std::size_t kButtonBytesMax = 64;

struct Button {
  std::string label;
  std::string does;
};

struct Reply {
  std::string text;  // empty: nothing is said
  std::vector<Button> buttons;

  static Reply Nothing() { return {}; }
};

Button UndoButton(std::int64_t message);
Button MeanButton(std::int64_t message, std::size_t deed, std::string_view activity,
                  std::string label = {});
Button WhoButton(std::int64_t message, std::int64_t user, std::string label);
std::vector<Button> YesAndNo(std::int64_t message);

// What a button that was pressed decides; nullopt if it is none of ours.
std::optional<Decision> DecisionOfButton(std::string_view does);

// Buttons as an attribute of a message.
AttributeValue ValueOfButtons(const std::vector<Button>& buttons);
std::vector<Button> ButtonsOf(const Item& record);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_REPLY_H_
