//go:build !linux

package read

import "math"

// freeMemory returns the largest number, as the free memory is not known on this system.
func freeMemory() int64 { return math.MaxInt64 }
