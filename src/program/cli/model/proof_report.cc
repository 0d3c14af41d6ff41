#include "cli/model/proof_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/model/text_table.h"
#include "proof/proof.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

using proof::Measure;
using proof::Proof;

double AllWrites(const Measure& measure) {
  double units = measure.write_units;
  for (const auto& [index, more] : measure.index_write_units) units += more;
  return units;
}

std::string Verdict(const Proof& proof) {
  if (!proof.ran) return "not run";
  return proof.ok() ? "ok" : "differs";
}

std::string Remark(const Proof& proof) {
  if (proof.difference.empty() || proof.note.empty()) return proof.difference + proof.note;
  return proof.difference + "; " + proof.note;
}

std::string PairText(double predicted, double measured) {
  return NumberText(predicted) + " / " + NumberText(measured);
}

std::string ProofText(const std::vector<Proof>& proofs) {
  TextTable table(
      {"pattern", "operation", "items", "returned", "pages", "RRU", "WRU", "verdict", ""}, 2);
  for (const Proof& proof : proofs) {
    const Measure& said = proof.predicted;
    const Measure& seen = proof.measured;
    table.Add({proof.pattern->name, proof.operation, PairText(said.items_read, seen.items_read),
               PairText(said.items_returned, seen.items_returned), PairText(said.pages, seen.pages),
               PairText(said.read_units, seen.read_units),
               PairText(AllWrites(said), AllWrites(seen)), Verdict(proof), Remark(proof)});
  }
  return "Run on the engine: predicted / measured\n" + table.Text();
}

void PutMeasure(JsonWriter& json, std::string_view key, const Measure& measure) {
  const auto put = [&](std::string_view name, double value) {
    json.Key(name).Raw(fmt::format("{}", value));
  };
  json.Key(key).BeginObject();
  put("items_read", measure.items_read);
  put("items_returned", measure.items_returned);
  put("pages", measure.pages);
  put("rru", measure.read_units);
  put("wru", measure.write_units);
  json.Key("index_wru").BeginObject();
  for (const auto& [index, units] : measure.index_write_units) put(index, units);
  json.EndObject();
  json.EndObject();
}

std::string ProofJson(const std::vector<Proof>& proofs) {
  std::string text;
  JsonWriter json(text);
  json.BeginArray();
  for (const Proof& proof : proofs) {
    json.BeginObject();
    json.Key("pattern").String(proof.pattern->name);
    json.Key("operation").String(proof.operation);
    json.Key("verdict").String(Verdict(proof));
    if (!Remark(proof).empty()) json.Key("remark").String(Remark(proof));
    if (proof.ran) {
      PutMeasure(json, "predicted", proof.predicted);
      PutMeasure(json, "measured", proof.measured);
    }
    json.EndObject();
  }
  json.EndArray();
  return text + "\n";
}

}  // namespace

bool RunAndReport(const model::Model& model, double max_items, bool as_json) {
  const std::vector<Proof> proofs = proof::ProvePatterns(model, max_items);
  const std::string text = as_json ? ProofJson(proofs) : ProofText(proofs);
  std::fputs(text.c_str(), stdout);
  return std::ranges::all_of(proofs, &Proof::ok);
}

}  // namespace stator::cli
