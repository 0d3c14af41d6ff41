// Rows of text in columns, for people.
#ifndef STATOR_SYSTEMS_PROGRAM_TEXT_TABLE_H_
#define STATOR_SYSTEMS_PROGRAM_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace stator::systems {

// The first row is the head. Columns are as wide as their widest cell, in characters.
std::string TextTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_TEXT_TABLE_H_
