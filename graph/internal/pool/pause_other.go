//go:build !amd64

package pool

// pause does nothing: only amd64 has the instruction.
func pause() {}
