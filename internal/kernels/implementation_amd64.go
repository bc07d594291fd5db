package kernels

import "golang.org/x/sys/cpu"

// detectISAs returns the implementations that this CPU can run, slowest first. Package cpu also
// checks that the operating system saves the wide registers.
func detectISAs() []isa {
	isas := []isa{portableISA}
	if !(cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI2) {
		return isas
	}
	isas = append(isas, avx2)
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
		isas = append(isas, avx512)
	}
	return isas
}
