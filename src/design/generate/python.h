// Python: how it writes types and values of a model.
#ifndef STATOR_GENERATE_PYTHON_H_
#define STATOR_GENERATE_PYTHON_H_

#include <string>
#include <vector>

#include "generate/code_names.h"
#include "generate/text.h"
#include "model/model.h"

namespace stator::model {

// The type of an attribute: str, int, Decimal, OrderStatus …
std::string PyType(const EntityNames& names, const Attribute& attribute);
// A value as DynamoDB has it, `{"S": "OPEN"}`, or Now(): an operand or a default for this attribute.
std::string PyLiteral(const Attribute* attribute, const Operand& operand);
std::string PyList(const std::vector<std::string>& parts);  // [a, b], of parts that are Python

// The dataclasses of an entity, and its description.
void WritePyEntity(const EntityNames& names, Lines& out);
// A dataclass with some of the attributes.
void WritePyPartial(const EntityNames& names, const std::string& type, const std::string& about,
                    const std::vector<std::string>& attributes, Lines& out);

}  // namespace stator::model

#endif  // STATOR_GENERATE_PYTHON_H_
