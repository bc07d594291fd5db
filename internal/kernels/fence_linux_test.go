package kernels

import (
	"os"
	"syscall"
	"testing"
	"unsafe"

	"sml/internal/expect"
)

// newFence maps n numbers, a multiple of a page, between two pages that may
// not be touched.
func newFence(t testing.TB, n int) []float32 {
	page := os.Getpagesize()
	b := expect.Must(syscall.Mmap(-1, 0, 4*n+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE))
	for _, guard := range [][]byte{b[:page], b[page+4*n:]} {
		expect.NoError(t, syscall.Mprotect(guard, syscall.PROT_NONE))
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&b[page])), n)
}
