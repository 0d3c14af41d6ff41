// The families of rules. Each lives in files of its own, rules/<family>_*.cc, and gives its rules in
// the order of their numbers; catalogue.cc puts them together.
#ifndef STATOR_RULES_FAMILIES_H_
#define STATOR_RULES_FAMILIES_H_

#include <span>

#include "rules/rules.h"

namespace stator::model {

std::span<const Rule> AccessPatternRules();   // AP01–AP07
std::span<const Rule> ReadRules();            // AP08–AP14
std::span<const Rule> ReadShapeRules();       // AP15, AP16
std::span<const Rule> KeyRules();             // KY01–KY08
std::span<const Rule> KeyUseRules();          // KY09–KY15
std::span<const Rule> TableKeyRules();        // KY16: tables that have no key
std::span<const Rule> IndexRules();           // IX
std::span<const Rule> WriteRules();           // WR
std::span<const Rule> TimeToLiveRules();      // TT
std::span<const Rule> HotPartitionRules();    // HP
std::span<const Rule> StateMachineRules();    // ST
std::span<const Rule> CostRules();            // CO
std::span<const Rule> MigrationRules();       // MG
std::span<const Rule> InfrastructureRules();  // IA

}  // namespace stator::model

#endif  // STATOR_RULES_FAMILIES_H_
