//go:build !amd64 && !arm64

package kernels

// detectISAs returns the portable implementation: this platform has no assembly.
func detectISAs() []isa { return []isa{portableISA} }
