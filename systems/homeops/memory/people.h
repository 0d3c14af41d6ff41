// The members of each chat. Several may have the same name; their numbers keep them apart.
#ifndef STATOR_SYSTEMS_HOMEOPS_MEMORY_PEOPLE_H_
#define STATOR_SYSTEMS_HOMEOPS_MEMORY_PEOPLE_H_

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/entity.h"
#include "systems/homeops/memory/message.h"

namespace stator::systems::homeops {

struct Member {
  std::int64_t user = 0;
  std::string name;
};

// Thread-safe.
class People {
 public:
  explicit People(Entities& entities) : entities_(entities) {}

  // Everybody, in the order of their numbers.
  EntityResult<std::vector<Member>> Of(std::string_view chat);

  // Makes the writer of a message a member, under the name that it carries.
  EntityResult<void> Meet(const Message& message);

 private:
  Entities& entities_;
  std::mutex mutex_;
  std::set<std::string> met_;  // by this process
};

// Those who have this name, all of it or its first word; a number is taken as it is.
std::vector<Member> Called(const std::vector<Member>& people, std::string_view name);

// All names that Called() knows, normalised.
std::vector<std::string> NamesOf(const std::vector<Member>& people);

// The name of a person, with the number if others have the same.
std::string NameAmong(const std::vector<Member>& people, const Member& person);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_MEMORY_PEOPLE_H_
