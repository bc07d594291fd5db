package cluster

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

const mebibyte = 1 << 20 // bytes

// memoryForm matches an amount of memory: a number of at most seven digits, its group 1, and a unit, whose first letter is
// group 2.
var memoryForm = regexp.MustCompile(`^([0-9]{1,7})([KMGT]?)(?:i?B?)$`)

// memoryUnits has the bytes of each unit. A number without a unit counts mebibytes, as in Slurm.
var memoryUnits = map[string]int64{
	"":  mebibyte,
	"K": 1 << 10,
	"M": mebibyte,
	"G": 1 << 30,
	"T": 1 << 40,
}

// parseMebibytes reads an amount of memory in the form of Slurm or Kubernetes, where 4G, 4Gi and 4096 are the
// same, and returns the number of mebibytes, rounded up. It returns an error if the text has another form, or
// for less than a mebibyte.
func parseMebibytes(text string) (int64, error) {
	groups := memoryForm.FindStringSubmatch(text)
	if groups == nil {
		return 0, fmt.Errorf("%q is not an amount of memory: want a whole number of M, G or T, such as 4G", text)
	}
	number, _ := strconv.ParseInt(groups[1], 10, 64) // cannot fail: at most seven digits
	unit := memoryUnits[groups[2]]
	overflows := number > math.MaxInt64/unit
	if overflows || number*unit < mebibyte {
		return 0, fmt.Errorf("%s of memory: want at least 1M", text)
	}
	return (number*unit + mebibyte - 1) / mebibyte, nil
}
