// ION as an export writes it: text, one record per line, each line with its own version marker.
//
//   $ion_1_0 {Item:{Authors:$dynamodb_SS::["Author1","Author2"],Id:103.,PageCount:6d2}}
#ifndef STATOR_TRANSFER_ION_WRITER_H_
#define STATOR_TRANSFER_ION_WRITER_H_

#include <string>
#include <string_view>

#include "transfer/record.h"

namespace stator::transfer {

// Appends one line with its newline.
void AppendIonItem(std::string& out, ItemView item);
void AppendIonChange(std::string& out, const ChangeRecord& change, ExportView view);

// A number of plain decimal text as an Ion decimal without superfluous digits: 103., 6d2, 0.5.
void AppendIonDecimal(std::string& out, std::string_view number);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_WRITER_H_
