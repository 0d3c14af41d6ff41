// What a pattern becomes on DynamoDB: the proof that it is a GetItem, an indexed Query or a guarded
// write, or why it is not.
#ifndef STATOR_MODEL_PLAN_PLAN_H_
#define STATOR_MODEL_PLAN_PLAN_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace stator::model {

enum class Operation : std::uint8_t {
  kNone,  // the pattern resolves to nothing
  kGetItem,
  kBatchGetItem,
  kQuery,
  kScan,
  kPutItem,
  kUpdateItem,
  kDeleteItem,
  kTransactGetItems,
  kTransactWriteItems,
};

// One clause of a KeyConditionExpression, with the value as a template over the pattern's
// parameters: {"GSI_Recon_PK", kEqual, {"STATUS#{ProcessingStatus}#{shard}"}}. {now-7d} is the
// time, {max} the greatest text (U+10FFFF), which sorts after everything that follows a prefix. An
// attribute that is neither a parameter nor bound to a literal takes one value after the other
// (`foreach`, `in`).
struct PlanClause {
  std::string attribute;
  Comparison comparison = Comparison::kEqual;
  std::vector<std::string> values;  // two for kBetween
};

// A change that a write makes to one index, in the usual case.
struct IndexEffect {
  const Index* index = nullptr;
  enum class Kind : std::uint8_t {
    kNone,    // no entry, or one that does not change
    kPut,     // the item enters the index
    kRemove,  // the item leaves it
    kUpdate,  // a projected attribute changes
    kMove,    // a key changes: the old entry is deleted and a new one put
  };
  Kind kind = Kind::kNone;
  // The part of the writes for which this happens (sparse indexes, moves with several ends).
  double share = 1;
};

struct Plan {
  const Pattern* pattern = nullptr;
  Operation operation = Operation::kNone;
  const Table* table = nullptr;
  const Index* index = nullptr;        // null: the table itself
  const Entity* entity = nullptr;      // the one read or written; null: several
  std::vector<const Entity*> present;  // entities that the partition read may hold
  std::vector<PlanClause> key;         // of reads
  std::vector<Term> residue;           // terms of `where` that no key serves: they filter
  std::string condition;               // ConditionExpression of a write, in words of the model
  std::vector<std::string> derived;    // keys that the write must set or remove
  std::vector<IndexEffect> effects;    // of writes; one for each kind of change of each index
  std::int64_t calls = 1;              // requests made together: shards × values × batches
  bool satisfied_by_primary_key = false;
  std::string obstacle;     // operation == kNone: why
  std::vector<Plan> parts;  // of a transaction; of a rekey: the put and the delete

  bool resolved() const { return operation != Operation::kNone; }
};

// One plan for each pattern, in the order of the model, which must outlive them.
std::vector<Plan> ResolvePatterns(const Model& model);
Plan ResolvePattern(const Model& model, const Pattern& pattern);

// "Query jobs.StatusIndex: Status = $Status and StatusUpdatedAt < $t"
std::string PlanText(const Plan& plan);
std::string_view OperationName(Operation operation);

// For charts: "GSI2PK = ORDER#<status>, DESC"; empty if there is no key condition.
std::string KeyWords(const Plan& plan);
// "Main", or the index's name.
std::string IndexWord(const Plan& plan);
// The entities that the plan is about: "Order", "Customer, Order".
std::string EntityWords(const Plan& plan);

bool IsRead(const Plan& plan);
// True if the plan is about this entity, alone or among others.
bool Concerns(const Plan& plan, const Entity& entity);
// True if a read asks for the entity, and does not merely meet it in the partition.
bool IsWanted(const Plan& plan, const Entity& entity);
// In how many shards of its index a read looks: one if there are none, or if its terms say what the
// shard is made from.
int ShardsOf(const Plan& plan);

// What IAM must allow on the table for a plan to run, without the prefix "dynamodb:".
struct PlanActions {
  std::set<std::string> own;     // of the plan itself; Query and Scan may be of an index
  std::set<std::string> beside;  // on the table besides, such as the sentinels of unique attributes
};

// IAM knows the actions inside a transaction, not the transaction: for a plan with parts, ask for
// the actions of the parts.
PlanActions ActionsOf(const Plan& plan);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_PLAN_H_
