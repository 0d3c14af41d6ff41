// Names that come from outside and become keys, addresses and files.
#ifndef STATOR_SYSTEMS_DOWNLOADS_FILE_NAME_H_
#define STATOR_SYSTEMS_DOWNLOADS_FILE_NAME_H_

#include <optional>
#include <string>
#include <string_view>

namespace stator::systems::downloads {

// "accounts-2026-02-28": the file of an entity and a day.
struct FileName {
  std::string entity;
  std::string date;

  std::string id() const { return entity + "-" + date; }
  friend bool operator==(const FileName&, const FileName&) = default;
  friend auto operator<=>(const FileName&, const FileName&) = default;
};

// Small letters, digits and underscores; 40 at most.
bool IsEntityName(std::string_view text);
// A day that exists, as 2026-02-28.
bool IsDate(std::string_view text);
std::optional<FileName> ParseFileName(std::string_view id);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_FILE_NAME_H_
