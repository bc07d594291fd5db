package read

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"sml/internal/expect"
)

// Where the limit of address space leaves less than Go reserves, the file is refused when it is opened: Go would end the
// process during the reading.
func TestLittleAddressSpaceIsRefused(t *testing.T) {
	var before syscall.Rlimit
	expect.NoError(t, syscall.Getrlimit(syscall.RLIMIT_AS, &before))
	pages, _ := readFirstNumber("/proc/self/statm", "")
	little := syscall.Rlimit{Cur: uint64(pages*int64(os.Getpagesize())) + 200<<20, Max: before.Max}
	expect.NoError(t, syscall.Setrlimit(syscall.RLIMIT_AS, &little))
	_, err := All(ctx, strings.NewReader("x,y\n1,2\n"), "t.csv", Options{})
	if restoreErr := syscall.Setrlimit(syscall.RLIMIT_AS, &before); restoreErr != nil {
		t.Fatal(restoreErr)
	}
	expect.Error(t, err, "t.csv: the process can take no more memory within its limit of address space (ulimit -v)")
	if _, err := All(ctx, strings.NewReader("x,y\n1,2\n"), "t.csv", Options{}); err != nil {
		t.Error(err)
	}
}
