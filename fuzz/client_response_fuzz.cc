// Any bytes as the body of an answer, of every operation: read or refused, with an error that says
// so. The first byte chooses the operation.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "client/responses.h"
#include "client/wire_error.h"
#include "stator/endpoint.h"

namespace {

using stator::DecodeResponse;

template <class Response>
void Decode(std::string_view body) {
  const auto response = DecodeResponse<Response>(body);
  if (!response && response.error().code() != stator::ErrorCode::kNoAnswer) std::abort();
}

// What is left over of a batch can be sent again.
void DecodeLeftovers(std::string_view body) {
  if (auto response = DecodeResponse<stator::BatchWriteItemResponse>(body)) {
    const stator::BatchWriteItemRequest again{.request_items = response->unprocessed_items};
    if (!RequestToJson(again)) std::abort();
  }
}

void DecodeError(std::string_view body) {
  const stator::Error error = stator::ErrorFromAnswer(400, body);
  if (error.name().empty()) std::abort();
}

using Decoder = void (*)(std::string_view body);
constexpr Decoder kDecoders[] = {
    Decode<stator::GetItemResponse>,
    Decode<stator::WriteItemResponse>,
    Decode<stator::PageResponse>,
    Decode<stator::BatchGetItemResponse>,
    Decode<stator::BatchWriteItemResponse>,
    Decode<stator::TransactGetItemsResponse>,
    Decode<stator::TransactWriteItemsResponse>,
    Decode<stator::TableDescriptionResponse>,
    Decode<stator::ListTablesResponse>,
    Decode<stator::ListTagsOfResourceResponse>,
    Decode<stator::UpdateTimeToLiveResponse>,
    Decode<stator::DescribeTimeToLiveResponse>,
    Decode<stator::ContinuousBackupsResponse>,
    Decode<stator::EmptyResponse>,
    DecodeLeftovers,
    DecodeError,
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  kDecoders[data[0] % std::size(kDecoders)](body);
  return 0;
}
