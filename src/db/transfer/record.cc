#include "transfer/record.h"

#include "value/value_problem.h"

namespace stator::transfer {

std::string_view FormatName(DataFormat format) {
  switch (format) {
    case DataFormat::kDynamoDbJson:
      return "DYNAMODB_JSON";
    case DataFormat::kIon:
      return "ION";
    case DataFormat::kCsv:
      return "CSV";
  }
  return {};
}

std::string_view ViewName(ExportView view) {
  return view == ExportView::kNewImage ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES";
}

std::expected<Item, std::string> AcceptedItem(Item item) {
  if (item.problem() == nullptr) return item;
  return std::unexpected(ProblemMessage(*item.problem(), Wording::kCurrent));
}

}  // namespace stator::transfer
