// What a model proves about itself, and its charts: `stator check` and `stator chart` for programs.
//
//   const stator::Design design = stator::CheckDesign(model);
//   for (const auto& proof : design.patterns)
//     if (proof.is_read && !proof.by_primary_key) std::cout << proof.pattern << ": " << proof.index;
#ifndef STATOR_DESIGN_H_
#define STATOR_DESIGN_H_

#include <string>
#include <vector>

#include "stator/chart.h"
#include "stator/finding.h"
#include "stator/model.h"

namespace stator {

// What one pattern becomes on DynamoDB.
struct PatternProof {
  std::string pattern;
  std::string entities;       // "Order", "Customer, Order"
  std::string operation;      // "Query"; empty: it resolves to nothing, and `text` says why
  std::string table;          // as the model calls it
  std::string index;          // empty: the table itself
  std::string key;            // "GSI2PK = ORDER#<status>, DESC"; empty: no key condition
  std::string text;           // the whole plan on one line
  std::string pattern_class;  // "hot", "ops" or "admin"
  std::string reason;         // that the model gives for it
  bool is_read = false;
  bool is_strong = false;
  bool by_primary_key = false;  // the table's own key serves it
  double per_day = 0;           // 0: the model does not say
  // Of one run in the usual case, indexes included.
  double read_units = 0;
  double write_units = 0;
};

// How much an index copies, and how much its patterns ask for.
struct IndexProjectionProof {
  std::string table;
  std::string index;
  std::string projection;  // "INCLUDE amount, status"
  std::string asked;       // likewise; empty: no pattern reads the index
  std::string reason;      // "patterns need 2 of 9 attributes"
};

struct Design {
  std::vector<PatternProof> patterns;  // in the order of the model, as all of these
  std::vector<IndexProjectionProof> projections;
  std::vector<DesignFinding> findings;
  bool clean = false;  // no error or warning that is not accepted
};

Design CheckDesign(const Model& model);

// Markdown: entity-chart.md, and entity-chart-gsiN.md for each index (with the table's name in it
// where there are several tables).
std::vector<DesignChart> DrawEntityCharts(const Model& model);

}  // namespace stator

#endif  // STATOR_DESIGN_H_
