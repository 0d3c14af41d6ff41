#include "tests/model/page_request.h"

#include <fmt/format.h>

#include "tests/model/translate.h"

namespace stator::model_test {
namespace {

template <class Request>
void FillShape(const PageOperation& way, const std::optional<Attributes>& start,
               Placeholders& placeholders, Request& request) {
  request.table_name = kTableName;
  request.index_name = way.index;
  request.limit = way.limit;
  if (way.select) request.select = *way.select;
  if (way.consistent) request.consistent_read = true;
  if (start) request.exclusive_start_key = ToLibrary(*start);
  request.return_consumed_capacity = way.capacity;
  if (way.filter) request.filter_expression = Text(*way.filter, placeholders);
  if (!way.projection.empty()) {
    request.projection_expression = placeholders.Paths(way.projection);
  }
  request.expression_attribute_names = placeholders.names();
  request.expression_attribute_values = placeholders.values();
}

std::string TermText(const std::string& name, const SortTerm& term, Placeholders& placeholders) {
  const std::string first = placeholders.Value(term.values[0]);
  if (term.comparator == "begins_with") return fmt::format("begins_with({}, {})", name, first);
  if (term.comparator != "BETWEEN") return fmt::format("{} {} {}", name, term.comparator, first);
  return fmt::format("{} BETWEEN {} AND {}", name, first, placeholders.Value(term.values[1]));
}

}  // namespace

QueryRequest QueryRequestFor(const PageOperation& way, const IndexSchema* index,
                             const std::optional<Attributes>& start) {
  Placeholders placeholders;
  std::string condition;
  for (std::size_t i = 0; i < way.partition.size(); ++i) {
    condition += fmt::format("{}{} = {}", i == 0 ? "" : " AND ",
                             placeholders.Name(Schema::HashParts(index)[i].name),
                             placeholders.Value(way.partition[i]));
  }
  for (std::size_t i = 0; i < way.sort.size(); ++i) {
    const std::string name = placeholders.Name(Schema::RangeParts(index)[i].name);
    condition += " AND " + TermText(name, way.sort[i], placeholders);
  }
  QueryRequest request;
  request.key_condition_expression = condition;
  if (!way.forward) request.scan_index_forward = false;
  FillShape(way, start, placeholders, request);
  return request;
}

ScanRequest ScanRequestFor(const PageOperation& way, const std::optional<Attributes>& start) {
  Placeholders placeholders;
  ScanRequest request;
  request.total_segments = way.total_segments;
  if (way.total_segments) request.segment = way.segment;
  FillShape(way, start, placeholders, request);
  return request;
}

}  // namespace stator::model_test
