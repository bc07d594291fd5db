package kernels

// detectISAs returns the implementations that this CPU can run, slowest first. Every CPU of arm64 has
// the vector instructions of NEON.
func detectISAs() []isa { return []isa{portableISA, neon} }
