// Ion values as DynamoDB's: the same for text and binary.
//
//   string symbol -> S    int decimal float -> N    blob -> B    bool -> BOOL    null… -> NULL
//   list -> L    struct -> M    $dynamodb_SS::[…] -> SS, and so for NS and BS
//   timestamp, clob, sexp: refused
#ifndef STATOR_TRANSFER_ION_RECORD_H_
#define STATOR_TRANSFER_ION_RECORD_H_

#include <expected>
#include <string>

#include "transfer/ion_value.h"
#include "transfer/record.h"

namespace stator::transfer {

// A record from a top-level value: {Item:{…}}; or for a change {Record:{Keys:{…},…}}, also without
// the Record around it.
std::expected<Record, std::string> RecordFromIon(const IonValue& value);

}  // namespace stator::transfer

#endif  // STATOR_TRANSFER_ION_RECORD_H_
