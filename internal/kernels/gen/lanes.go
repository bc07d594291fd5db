package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// laneSum writes the sum of the numbers of a slice, or of the products of two slices, in interleaved
// lanes: number i is added to lane i mod n. The lanes are in vector registers 0, 1, …; registers 12 to
// 14 are used in between.
type laneSum struct {
	avx
	n     int  // lanes: 16 or 64
	isSum bool // whether there is one slice, not two
}

// reg returns vector register i.
func (l *laneSum) reg(i int) reg.VecPhysical {
	if l.isAVX512 {
		return zmm[i]
	}
	return ymm[i]
}

// vectors returns the number of registers with lanes.
func (l *laneSum) vectors() int { return 4 * l.n / l.bytes() }

// clear sets all lanes to 0.
func (l *laneSum) clear() {
	for i := range l.vectors() {
		l.VXORPS(ymm[i], ymm[i], ymm[i]) // clears the whole register
	}
}

// setTailMasks sets the masks of the numbers after the last full round of lanes, once for many sums
// of n numbers: with AVX-512, in registers K1 to K4. With AVX2, addTailNarrow sets its masks.
func (l *laneSum) setTailMasks(n reg.Register) {
	if !l.isAVX512 {
		return
	}
	rest, bits := l.copyRegister(n), l.GP64()
	l.ANDQ(Imm(uint64(l.n-1)), rest) // n mod lanes, since the number of lanes is a power of two
	l.MOVQ(U64(0xFFFFFFFFFFFFFFFF), bits)
	l.BZHIQ(rest, bits, bits) // clears all bits but the first rest: one bit for each lane with a number
	l.KMOVQ(bits, reg.K1)
	for v := 1; v < l.vectors(); v++ { // the next vector has the next 16 bits
		l.KSHIFTRQ(Imm(16), l.tailMask(v-1), l.tailMask(v))
	}
}

// tailMask returns the mask of the lanes in vector register v for the tail.
func (l *laneSum) tailMask(v int) reg.Register {
	return []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4}[v]
}

// addNumbers adds n numbers at address a, or their products with the numbers at b. It changes n, a
// and b.
func (l *laneSum) addNumbers(n, a, b reg.Register) {
	vectorBytes := l.bytes()
	loop := l.label("lanes")
	tail := l.label("tail")
	done := l.label("summed")
	x := l.reg(14)
	l.Label(loop)
	l.CMPQ(n, Imm(uint64(l.n)))
	l.JLT(LabelRef(tail))
	for v := range l.vectors() {
		if l.isSum {
			l.VADDPS(address(a, vectorBytes*v), l.reg(v), l.reg(v))
		} else {
			l.VMOVUPS(address(a, vectorBytes*v), x)
			l.VFMADD231PS(address(b, vectorBytes*v), x, l.reg(v))
		}
	}
	l.ADDQ(U32(4*l.n), a)
	if !l.isSum {
		l.ADDQ(U32(4*l.n), b)
	}
	l.SUBQ(Imm(uint64(l.n)), n)
	l.JMP(LabelRef(loop))
	l.Label(tail)
	l.TESTQ(n, n)
	l.JLE(LabelRef(done))
	if l.isAVX512 {
		l.addTailWide(a, b)
	} else {
		l.addTailNarrow(n, a, b, done)
	}
	l.Label(done)
}

// addTailWide adds the numbers after the last full round of lanes with AVX-512.
func (l *laneSum) addTailWide(a, b reg.Register) {
	x := l.reg(14)
	for v := range l.vectors() {
		fromA := address(a, l.bytes()*v)
		if l.isSum { // lanes without a number stay as they are
			l.VADDPS(fromA, l.reg(v), l.tailMask(v), l.reg(v))
		} else {
			l.VMOVUPS_Z(fromA, l.tailMask(v), x)
			l.VFMADD231PS(address(b, l.bytes()*v), x, l.tailMask(v), l.reg(v))
		}
	}
}

// addTailNarrow adds the n numbers after the last full round of lanes with AVX2, and jumps to done
// after the last vector that has some.
func (l *laneSum) addTailNarrow(n, a, b reg.Register, done string) {
	x, mask, y := l.reg(14), ymm[13], ymm[12]
	count, eight := l.GP64(), l.GP64()
	l.MOVQ(U32(8), eight)
	for v := range l.vectors() {
		l.MOVQ(n, count)
		l.CMPQ(count, Imm(8))
		l.CMOVQGT(eight, count)
		l.setLaneMask(mask, count)
		l.VMASKMOVPS(address(a, l.bytes()*v), mask, x)
		if l.isSum {
			l.VADDPS(x, l.reg(v), x)
		} else {
			l.VMASKMOVPS(address(b, l.bytes()*v), mask, y)
			l.VFMADD213PS(l.reg(v), y, x)
		}
		l.VBLENDVPS(mask, x, l.reg(v), l.reg(v)) // lanes without a number stay as they are
		l.SUBQ(Imm(8), n)
		if v < l.vectors()-1 {
			l.JLE(LabelRef(done))
		}
	}
}

// addLanes adds the upper half of the lanes to the lower half until one is left, in X0.
func (l *laneSum) addLanes() {
	for half := l.vectors() / 2; half > 0; half /= 2 { // registers, until register 0 has the rest
		for i := range half {
			l.VADDPS(l.reg(i+half), l.reg(i), l.reg(i))
		}
	}
	const upperHalf = 1
	if l.isAVX512 { // 16 lanes to 8
		l.VEXTRACTF32X8(Imm(upperHalf), reg.Z0, reg.Y14)
		l.VADDPS(reg.Y14, reg.Y0, reg.Y0)
	}
	l.VEXTRACTF128(Imm(upperHalf), reg.Y0, reg.X14) // 8 lanes to 4
	l.VADDPS(reg.X14, reg.X0, reg.X0)
	l.VPERMILPS(Imm(0b01_00_11_10), reg.X0, reg.X14) // 4 lanes to 2: moves lanes 2, 3 to 0, 1
	l.VADDPS(reg.X14, reg.X0, reg.X0)
	l.VMOVSHDUP(reg.X0, reg.X14) // 2 lanes to 1: moves lane 1 to 0
	l.VADDSS(reg.X14, reg.X0, reg.X0)
}
