package read

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// freeMemory is how many bytes this process may still take: the machine's, its control
// group's and its own limit, whichever is the lowest.
func freeMemory() int64 {
	least := int64(math.MaxInt64)
	if kib, ok := firstNumber("/proc/meminfo", "MemAvailable:"); ok {
		least = min(least, kib<<10)
	}
	for _, group := range []struct{ limit, used, stat string }{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes", "/sys/fs/cgroup/memory/memory.stat"},
	} {
		limit, limited := firstNumber(group.limit, "")
		used, known := firstNumber(group.used, "")
		if limited && known {
			cached, _ := firstNumber(group.stat, "inactive_file") // given back when it is needed
			least = min(least, max(0, limit-used+cached))
		}
	}
	var own syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &own) == nil && own.Cur < math.MaxInt64 {
		if pages, ok := firstNumber("/proc/self/statm", ""); ok {
			const apart = 256 << 20 // that the Go runtime sets apart in larger pieces
			least = min(least, max(0, int64(own.Cur)-pages*int64(os.Getpagesize())-apart))
		}
	}
	return least
}

// firstNumber returns the first number of a file, of the line that begins with a
// word where one is given.
func firstNumber(path, word string) (int64, bool) {
	text, err := os.ReadFile(path)
	_, rest, found := strings.Cut("\n"+string(text), "\n"+word)
	words := strings.Fields(rest)
	if err != nil || !found || len(words) == 0 {
		return 0, false
	}
	v, err := strconv.ParseInt(words[0], 10, 64)
	return v, err == nil
}
