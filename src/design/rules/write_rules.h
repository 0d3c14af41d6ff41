// The rules about writes, which write_rules.cc puts together.
#ifndef STATOR_RULES_WRITE_RULES_H_
#define STATOR_RULES_WRITE_RULES_H_

#include "rules/rules.h"

namespace stator::model {

// write_key_rules.cc
extern const Rule kStaleDerivedKey;    // WR01
extern const Rule kSparseKeyLeftover;  // WR04

// write_guard_rules.cc
extern const Rule kUnguardedUpdate;    // WR02
extern const Rule kUnguardedCreate;    // WR03
extern const Rule kLostUpdate;         // WR05
extern const Rule kSendWithoutOutbox;  // WR14

// expression_rules.cc
extern const Rule kOverlappingPaths;   // WR06
extern const Rule kInvalidExpression;  // WR08
extern const Rule kBareName;           // WR10

// request_rules.cc
extern const Rule kMissingParent;  // WR07
extern const Rule kForeignMember;  // WR09

// set_rules.cc
extern const Rule kEmptySet;         // WR11
extern const Rule kListSetMismatch;  // WR12

// write_size_rules.cc
extern const Rule kTransactionSize;  // WR13
extern const Rule kItemSize;         // WR15

}  // namespace stator::model

#endif  // STATOR_RULES_WRITE_RULES_H_
