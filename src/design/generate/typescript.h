// TypeScript: how it writes names, types and values of a model.
#ifndef STATOR_GENERATE_TYPESCRIPT_H_
#define STATOR_GENERATE_TYPESCRIPT_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generate/code_names.h"
#include "generate/text.h"
#include "model/model.h"

namespace stator::model {

// Words that are no names, and globals that generated code uses.
std::set<std::string> TypeScriptReserved();
std::set<std::string> TypeScriptGlobals();

// "constructor" …: every JavaScript object has something of that name.
bool IsInheritedName(std::string_view name);

std::string TsProperty(std::string_view name);               // userId, "it's"
std::string TsUnion(const std::vector<std::string>& texts);  // "a" | "b"
std::string TsComment(std::string_view text);                // /** … */ on one line

// The type of an attribute: string, number, Decimal, OrderStatus …
std::string TsType(const EntityNames& names, const Attribute& attribute);
// An item may lack it.
bool TsMayLack(const EntityNames& names, const Attribute& attribute);

// A value as DynamoDB has it, `{ S: "OPEN" }`: an operand or a default for this attribute.
std::string TsLiteral(const Attribute* attribute, const Operand& operand);

// The files of each style.
std::string GenerateTypeScriptSdk(const Model& model);
std::string GenerateElectroDb(const Model& model);

// Types of an entity, and its description.
void WriteTsEntity(const EntityNames& names, Lines& out);

}  // namespace stator::model

#endif  // STATOR_GENERATE_TYPESCRIPT_H_
