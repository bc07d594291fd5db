package read

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// FreeMemory returns the number of bytes that this process may still take: the lowest limit of
// the machine, the control group and the process. A limit that cannot be read does not count.
func FreeMemory() int64 {
	return min(machineMemory(), controlGroupMemory(), addressSpace())
}

// noLimit is the free memory where no limit is known.
const noLimit = math.MaxInt64

// machineMemory returns the number of free bytes on the machine.
func machineMemory() int64 {
	kib, ok := readFirstNumber("/proc/meminfo", "MemAvailable:")
	if !ok {
		return noLimit
	}
	return kib << 10
}

// controlGroupFiles are the files of the kernel that tell the memory of the process's control
// group, such as a container. See https://docs.kernel.org/admin-guide/cgroup-v2.html.
var controlGroupFiles = []struct{ limit, used, stat string }{
	{ // version 2
		limit: "/sys/fs/cgroup/memory.max",
		used:  "/sys/fs/cgroup/memory.current",
		stat:  "/sys/fs/cgroup/memory.stat",
	},
	{ // version 1
		limit: "/sys/fs/cgroup/memory/memory.limit_in_bytes",
		used:  "/sys/fs/cgroup/memory/memory.usage_in_bytes",
		stat:  "/sys/fs/cgroup/memory/memory.stat",
	},
}

// controlGroupMemory returns the number of bytes that the control group may still take.
func controlGroupMemory() int64 {
	free := int64(noLimit)
	for _, files := range controlGroupFiles {
		limit, hasLimit := readFirstNumber(files.limit, "")
		used, hasUsed := readFirstNumber(files.used, "")
		if !hasLimit || !hasUsed {
			continue
		}
		cached, _ := readFirstNumber(files.stat, "inactive_file") // counts as used, but the kernel frees it when memory is short
		free = min(free, max(0, limit-used+cached))
	}
	return free
}

// addressSpace returns the number of bytes that the process may still take within its limit of
// address space (ulimit -v).
func addressSpace() int64 {
	const goRuntimeReserve = 256 << 20 // bytes of address space that the Go runtime reserves beyond its use
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur >= math.MaxInt64 {
		return noLimit
	}
	pages, ok := readFirstNumber("/proc/self/statm", "") // the first number is the size of the address space
	if !ok {
		return noLimit
	}
	used := pages * int64(os.Getpagesize())
	return max(0, int64(limit.Cur)-used-goRuntimeReserve)
}

// readFirstNumber returns the first number of a file or, if prefix is not "", the first number
// after prefix in the line that begins with it. ok is false if there is no such number.
func readFirstNumber(path, prefix string) (number int64, ok bool) {
	text, err := os.ReadFile(path)
	_, rest, found := strings.Cut("\n"+string(text), "\n"+prefix) // the added line feed makes the first line like the others
	words := strings.Fields(rest)
	if err != nil || !found || len(words) == 0 {
		return 0, false
	}
	number, err = strconv.ParseInt(words[0], 10, 64)
	return number, err == nil
}
