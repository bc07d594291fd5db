package kernels

import "golang.org/x/sys/cpu"

// supportedPaths lists what this CPU can run, slowest first. The operating
// system's part (saving the wide registers) is in cpu's answer.
func supportedPaths() []isa {
	paths := []isa{inGo}
	if !(cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2) {
		return paths
	}
	paths = append(paths, avx2)
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
		paths = append(paths, avx512)
	}
	return paths
}
