package engine

import "unsafe"

// cacheLine is the size of a line of the CPU's cache, in bytes.
const cacheLine = 64

// makeAligned returns a slice of size zeros that begins at a multiple of a cache line.
func makeAligned[T float](size int) []T {
	var zero T
	width := int(unsafe.Sizeof(zero))         // bytes per number
	memory := make([]T, size+cacheLine/width) // up to one cache line of numbers is skipped
	skip := 0                                 // numbers before the first multiple of a cache line
	misalignment := int(uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % cacheLine)
	if misalignment != 0 {
		skip = (cacheLine - misalignment) / width
	}
	return memory[skip : skip+size]
}
