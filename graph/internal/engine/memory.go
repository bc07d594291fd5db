package engine

import "unsafe"

// aligned returns memory for size numbers that begins at a cache line.
func aligned[T float](size int) []T {
	const line = 64
	var zero T
	width := int(unsafe.Sizeof(zero))
	all := make([]T, size+line/width)
	skip := 0
	if over := int(uintptr(unsafe.Pointer(unsafe.SliceData(all))) % line); over != 0 {
		skip = (line - over) / width
	}
	return all[skip : skip+size]
}
