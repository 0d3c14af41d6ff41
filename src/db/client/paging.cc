#include "stator/paging.h"

#include "base/try.h"

namespace stator {
namespace {

template <class Request, class Read>
Result<void> ForEach(Request request, const PageVisitor& visit, Read read) {
  for (;;) {
    ASSIGN_OR_RETURN(PageResponse page, read(request));
    if (!visit(page) || !page.last_evaluated_key) return {};
    request.exclusive_start_key = std::move(page.last_evaluated_key);
  }
}

template <class Request>
Result<PageResponse> All(Endpoint& endpoint, Request request) {
  PageResponse all;
  RETURN_IF_ERROR(ForEachPage(endpoint, std::move(request), [&all](const PageResponse& page) {
    all.count += page.count;
    all.scanned_count += page.scanned_count;
    if (page.items && !all.items) all.items.emplace();
    for (std::size_t i = 0; page.items && i < page.items->size(); ++i) {
      all.items->Append((*page.items)[i]);
    }
    return true;
  }));
  return all;
}

}  // namespace

Result<void> ForEachPage(Endpoint& endpoint, QueryRequest request, const PageVisitor& visit) {
  return ForEach(std::move(request), visit,
                 [&](const QueryRequest& page) { return endpoint.Query(page); });
}

Result<void> ForEachPage(Endpoint& endpoint, ScanRequest request, const PageVisitor& visit) {
  return ForEach(std::move(request), visit,
                 [&](const ScanRequest& page) { return endpoint.Scan(page); });
}

Result<QueryResponse> QueryAll(Endpoint& endpoint, QueryRequest request) {
  return All(endpoint, std::move(request));
}

Result<ScanResponse> ScanAll(Endpoint& endpoint, ScanRequest request) {
  return All(endpoint, std::move(request));
}

}  // namespace stator
