package read

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// freeMemory returns the number of bytes that this process may still take: the lowest limit of
// the machine, the control group and the process.
func freeMemory() int64 {
	least := int64(math.MaxInt64)
	if kib, ok := readFirstNumber("/proc/meminfo", "MemAvailable:"); ok {
		least = min(least, kib<<10)
	}
	for _, group := range []struct{ limit, used, stat string }{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes", "/sys/fs/cgroup/memory/memory.stat"},
	} {
		limit, limited := readFirstNumber(group.limit, "")
		used, known := readFirstNumber(group.used, "")
		if limited && known {
			cached, _ := readFirstNumber(group.stat, "inactive_file") // the kernel frees this cache when memory is short
			least = min(least, max(0, limit-used+cached))
		}
	}
	var own syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &own) == nil && own.Cur < math.MaxInt64 {
		if pages, ok := readFirstNumber("/proc/self/statm", ""); ok {
			const apart = 256 << 20 // address space that the Go runtime reserves beyond its use
			least = min(least, max(0, int64(own.Cur)-pages*int64(os.Getpagesize())-apart))
		}
	}
	return least
}

// readFirstNumber returns the first number of a file or, if word is not "", of the line that begins
// with word.
func readFirstNumber(path, word string) (int64, bool) {
	text, err := os.ReadFile(path)
	_, rest, found := strings.Cut("\n"+string(text), "\n"+word)
	words := strings.Fields(rest)
	if err != nil || !found || len(words) == 0 {
		return 0, false
	}
	v, err := strconv.ParseInt(words[0], 10, 64)
	return v, err == nil
}
