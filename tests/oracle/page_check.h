// Checks one Query or Scan.
//
// DynamoDB leaves some orders open: partitions in a Scan, entries with equal keys in an index. The
// check first reads everything without limit or filter and judges that against the reference; the order
// found there is the one that every other way of reading has to keep: backward, by pages, filtered,
// by segments, from the middle.
#ifndef STATOR_TESTS_ORACLE_PAGE_CHECK_H_
#define STATOR_TESTS_ORACLE_PAGE_CHECK_H_

#include <optional>
#include <span>
#include <vector>

#include "stator/database.h"
#include "stator/operations.h"
#include "tests/oracle/operation.h"
#include "tests/oracle/reference_table.h"
#include "tests/oracle/schema.h"
#include "tests/oracle/verdict.h"

namespace stator::oracle {

class PageCheck {
 public:
  PageCheck(Database& database, const ReferenceTable& reference, const PageOperation& operation,
            Reached& reached);

  Verdict Run();

 private:
  // Reads to the end, from behind `start` on.
  Verdict Read(const PageOperation& way, const std::optional<Attributes>& start,
               std::vector<PageResponse>& pages);
  Result<PageResponse> Send(const PageOperation& way, const std::optional<Attributes>& start);
  // The operation without limit, filter, projection and segments.
  PageOperation PlainWay() const;

  Verdict LearnOrder();
  Verdict CompareWithModel(const std::vector<Attributes>& found) const;
  Verdict CompareNeighbours(const std::vector<Attributes>& found) const;
  Verdict CheckSegments();
  // Cuts `order_` at the starting point; the key to start behind, if any.
  std::optional<Attributes> Begin();
  std::optional<Attributes> BeginBehindKey();

  // `order` is what there is to read, in the way's direction.
  Verdict ComparePages(const PageOperation& way, const std::vector<Attributes>& order,
                       const std::vector<PageResponse>& pages) const;
  Verdict ComparePage(const PageOperation& way, std::span<const Attributes> entries, bool stopped,
                      const PageResponse& page) const;
  Verdict CompareItems(const PageOperation& way, std::span<const Attributes> entries,
                       const PageResponse& page) const;
  bool Fetches(const PageOperation& way) const;
  Attributes Visible(const PageOperation& way, const Attributes& entry) const;

  Database& database_;
  const ReferenceTable& reference_;
  const PageOperation& operation_;
  const IndexSchema* index_;
  Reached& reached_;
  std::vector<Attributes> order_;  // entries as the index holds them
};

// Requests for the pages of a Query or a Scan.

QueryRequest QueryRequestFor(const PageOperation& way, const IndexSchema* index,
                             const std::optional<Attributes>& start);
ScanRequest ScanRequestFor(const PageOperation& way, const std::optional<Attributes>& start);

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_PAGE_CHECK_H_
