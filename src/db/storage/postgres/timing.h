// How long things may take, here and in the database. The database's own limits are shorter than those
// that wait for it, so that it says why.
#ifndef STATOR_STORAGE_POSTGRES_TIMING_H_
#define STATOR_STORAGE_POSTGRES_TIMING_H_

#include <chrono>

namespace stator::postgres {

inline constexpr std::chrono::seconds kTimeToOpen{15};     // a connection
inline constexpr std::chrono::seconds kTimeToPrepare{30};  // the tables
inline constexpr std::chrono::milliseconds kTimeToRead{7'000};
inline constexpr std::chrono::milliseconds kTimeToReadInSilence{1'000};
inline constexpr std::chrono::seconds kTimeToWrite{4};  // one of the two trips of a round
inline constexpr std::chrono::seconds kTimeToAsk{3};    // for what other servers do
inline constexpr std::chrono::hours kTimeToCopy{6};     // a checkpoint
inline constexpr std::chrono::milliseconds kReconnectEvery{100};

inline constexpr const char* kReadSettings =
    "SET statement_timeout = 6000; SET lock_timeout = 5000; "
    "SET idle_in_transaction_session_timeout = 600000";
// A server that sleeps between the two trips of a round must not keep its locks for long.
inline constexpr const char* kWriteSettings =
    "SET statement_timeout = 3500; SET lock_timeout = 200; "
    "SET idle_in_transaction_session_timeout = 4000";
inline constexpr const char* kAskSettings =
    "SET statement_timeout = 2800; SET lock_timeout = 2500; "
    "SET idle_in_transaction_session_timeout = 5000";
inline constexpr const char* kCopySettings = "SET statement_timeout = 0";

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_TIMING_H_
