// Requests for the pages of a Query or a Scan.
#ifndef STATOR_TESTS_MODEL_PAGE_REQUEST_H_
#define STATOR_TESTS_MODEL_PAGE_REQUEST_H_

#include <optional>

#include "stator/operations.h"
#include "tests/model/operation.h"
#include "tests/model/schema.h"

namespace stator::model_test {

QueryRequest QueryRequestFor(const PageOperation& way, const IndexSchema* index,
                             const std::optional<Attributes>& start);
ScanRequest ScanRequestFor(const PageOperation& way, const std::optional<Attributes>& start);

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_PAGE_REQUEST_H_
