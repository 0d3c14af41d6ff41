// For LD_PRELOAD: the machine's clock, as far away as the file STATOR_TEST_CLOCK says, and jumping whenever somebody
// writes to the file. It holds seconds as eight bytes in the machine's order. Clocks that measure durations stay.
// (libfaketime does not get on with jemalloc.)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

const volatile std::int64_t* shift_seconds = nullptr;

__attribute__((constructor)) void MapShift() {
  const char* const path = std::getenv("STATOR_TEST_CLOCK");
  if (path == nullptr) return;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) abort();
  void* const mapped = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) abort();
  shift_seconds = static_cast<const std::int64_t*>(mapped);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto status = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  const bool is_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (status == 0 && is_of_day && shift_seconds != nullptr) time->tv_sec += *shift_seconds;
  return status;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) *out = now.tv_sec;
  return now.tv_sec;
}
}
