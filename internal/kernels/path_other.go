//go:build !amd64

package kernels

// supportedPaths lists what this CPU can run: there is no assembly for it.
func supportedPaths() []isa { return []isa{inGo} }
