// What the two kinds of proofs share.
#ifndef STATOR_PROOF_PROOF_PARTS_H_
#define STATOR_PROOF_PROOF_PARTS_H_

#include "proof/proof.h"
#include "stator/database.h"

namespace stator::proof {

// The model is changed for the run: sizes are fixed to whole bytes.
void ProveRead(model::Model& model, const std::string& pattern, double max_items, Proof& proof);
void ProveWrite(model::Model& model, const std::string& pattern, Proof& proof);

// The name of the table in that database.
std::string NameOf(const model::Table& table);
// What a database counts from the time on at which the meter is made.
class Meter {
 public:
  // REQUIRES: the database counts units and outlives the object.
  explicit Meter(const Database& database);
  void AddTo(UnitsByPlace& units, double weight = 1) const;

 private:
  UnitsByPlace Read() const;

  const Database& database_;
  UnitsByPlace before_;
};

// An empty database in memory with the tables of the model.
Result<std::unique_ptr<Database>> OpenFor(const model::Model& model);

}  // namespace stator::proof

#endif  // STATOR_PROOF_PROOF_PARTS_H_
