package cluster

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// memory is an amount of memory in bytes.
type memory int64

// Units of memory, in bytes.
const (
	kibibyte = 1 << 10
	mebibyte = 1 << 20
	gibibyte = 1 << 30
	tebibyte = 1 << 40
)

// memoryForm matches an amount of memory: a number of at most seven digits and a unit.
var memoryForm = regexp.MustCompile(`^([0-9]{1,7})([KMGT]?)(?:i?B?)$`)

// memoryUnits has the bytes of each unit. A number without a unit counts mebibytes, as in Slurm.
var memoryUnits = map[string]int64{
	"":  mebibyte,
	"K": kibibyte,
	"M": mebibyte,
	"G": gibibyte,
	"T": tebibyte,
}

// parseMemory reads an amount in the form of Slurm or Kubernetes: 4G, 4Gi and 4096 are the same. It
// returns an error if the text has another form, or for less than a mebibyte.
func parseMemory(text string) (memory, error) {
	found := memoryForm.FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("%q is not an amount of memory: want a whole number of M, G or T, such as 4G", text)
	}
	number, _ := strconv.ParseInt(found[1], 10, 64) // cannot fail: at most seven digits
	unit := memoryUnits[found[2]]
	if number > math.MaxInt64/unit || number*unit < mebibyte {
		return 0, fmt.Errorf("%s of memory: want at least 1M", text)
	}
	return memory(number * unit), nil
}

// mebibytes returns the number of mebibytes, rounded up.
func (m memory) mebibytes() int64 { return (int64(m) + mebibyte - 1) / mebibyte }
