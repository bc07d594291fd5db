package read

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// Where the limit of address space leaves less than Go reserves, the file is refused when it is opened: Go would end the
// process during the reading.
func TestLittleAddressSpaceIsRefused(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &before); err != nil {
		t.Fatal(err)
	}
	pages, _ := readFirstNumber("/proc/self/statm", "")
	little := syscall.Rlimit{Cur: uint64(pages*int64(os.Getpagesize())) + 200<<20, Max: before.Max}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &little); err != nil {
		t.Fatal(err)
	}
	_, err := All(ctx, strings.NewReader("x,y\n1,2\n"), "t.csv", Options{})
	if restoreErr := syscall.Setrlimit(syscall.RLIMIT_AS, &before); restoreErr != nil {
		t.Fatal(restoreErr)
	}
	if err == nil || !strings.Contains(err.Error(), "t.csv: the process can take no more memory within its limit of address space (ulimit -v)") {
		t.Errorf("%v", err)
	}
	if _, err := All(ctx, strings.NewReader("x,y\n1,2\n"), "t.csv", Options{}); err != nil {
		t.Error(err)
	}
}
