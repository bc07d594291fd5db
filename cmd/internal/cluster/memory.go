package cluster

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// memory is an amount of memory in bytes.
type memory int64

const mebibyte = 1 << 20

var bytesForm = regexp.MustCompile(`^([0-9]{1,7})([KMGT]?)(?:i?B?)$`)

// parseMemory reads an amount in Slurm's form, where a number without a unit counts mebibytes,
// or in Kubernetes's: 4G, 4Gi and 4096 are the same. It returns an error for less than a
// mebibyte.
func parseMemory(text string) (memory, error) {
	found := bytesForm.FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("%q is no amount of memory: want a whole number of M, G or T, such as 4G", text)
	}
	n, _ := strconv.ParseInt(found[1], 10, 64) // seven digits
	unit := map[string]int64{"K": 1 << 10, "": mebibyte, "M": mebibyte, "G": 1 << 30, "T": 1 << 40}[found[2]]
	if n > math.MaxInt64/unit || n*unit < mebibyte {
		return 0, fmt.Errorf("%s of memory: want at least 1M", text)
	}
	return memory(n * unit), nil
}

// mebibytes returns the number of mebibytes, rounded up.
func (b memory) mebibytes() int64 { return (int64(b) + mebibyte - 1) / mebibyte }
