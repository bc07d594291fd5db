package main

// This file writes arm64's instructions on vector registers. Go's assembler knows the instructions of
// goSyntax, the shifts except sshr, and loads, stores and copies of lanes: these are written in Go's syntax.
// It does not know the instructions of encodings, sshr, and fmla by a lane: these are written as the word
// that the CPU reads, with ARM's notation in a comment.
//
// ARM calls the registers of an instruction Vd (destination), Vn and Vm (operands), or Fd, Fn and Fm if the
// instruction uses only the lowest lane. A suffix names the lanes of a 16-byte vector: "4s" are four float32
// or 32-bit integers, "2d" two float64 or 64-bit integers, "8h" eight 16-bit integers, "16b" sixteen bytes.

import (
	"fmt"
	"strconv"
	"strings"
)

// vec is a vector register: 0 to 31 are the registers of the CPU, larger numbers are virtual registers,
// which allocate replaces by registers of the CPU.
type vec int

const (
	noVector     vec = -1 // in place of an operand that an instruction does not have
	vectorCount      = 32 // vector registers of the CPU
	firstVirtual vec = vectorCount
)

// Asm returns the register as Go's assembler writes it. A virtual register has no such form.
func (v vec) Asm() string { return fmt.Sprintf("V%d", int(v)) }

// isVirtual reports whether the register is virtual.
func (v vec) isVirtual() bool { return v >= firstVirtual }

// instruction is one element of a function's code: an instruction of the CPU, a label, or a mark for
// constants.
type instruction struct {
	text    string // instruction with {d}, {n} and {m} for the numbers of the vector registers: see render
	d, n, m vec    // vector registers; noVector if the instruction has none
	readsD  bool   // whether the instruction reads d
	writesD bool   // whether the instruction writes d

	label  string // name of a label; "" for other elements
	target string // label that a branch jumps to; "" for other elements

	isCopy         bool // copies n to d; left out if both get the same number
	isConstantMark bool // marks a place for loads of constants: see markConstants
	isConstantLoad bool // loads a constant at a mark
}

// withoutVectors returns an instruction that has no virtual vector registers.
func withoutVectors(text string) instruction {
	return instruction{text: text, d: noVector, n: noVector, m: noVector}
}

// vectorLoad returns an instruction whose only vector register is d, which it writes.
func vectorLoad(text string, d vec) instruction {
	return instruction{text: text, d: d, n: noVector, m: noVector, writesD: true}
}

// vectorStore returns an instruction whose only vector register is n, which it reads.
func vectorStore(text string, n vec) instruction {
	return instruction{text: text, d: noVector, n: n, m: noVector}
}

// laneLoad returns an instruction whose only vector register is d. It writes one part of d and keeps the others.
func laneLoad(text string, d vec) instruction {
	return instruction{text: text, d: d, n: noVector, m: noVector, readsD: true, writesD: true}
}

// emit appends an instruction to the code of the current function.
func (a *assembler) emit(i instruction) { a.code = append(a.code, i) }

// render returns the line of the assembly file: text with the numbers of the registers. A text such as
// "0x4e20d400 // fadd v{d}.4s, v{n}.4s, v{m}.4s" is an encoded instruction. Its word has the number 0 in
// place of every vector register, and the comment shows the instruction in ARM's notation.
func (i instruction) render() string {
	switch {
	case i.isConstantMark:
		return ""
	case i.label != "":
		return i.label + ":\n"
	}
	numbers := strings.NewReplacer("{d}", strconv.Itoa(int(i.d)), "{n}", strconv.Itoa(int(i.n)), "{m}", strconv.Itoa(int(i.m)))
	text := numbers.Replace(i.text)
	word, comment, isEncoded := strings.Cut(text, " // ")
	if !isEncoded {
		return "\t" + text + "\n"
	}
	base, err := strconv.ParseUint(word, 0, 32)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("\tWORD $%#08x // %s\n", i.encode(uint32(base)), comment)
}

// encode returns the word with the numbers of the registers, which are 0 in word. ARM's instructions on vectors have d in
// bits 0 to 4, n in bits 5 to 9 and m in bits 16 to 20.
func (i instruction) encode(word uint32) uint32 {
	word |= uint32(i.d)
	if i.n != noVector {
		word |= uint32(i.n) << 5
	}
	if i.m != noVector {
		word |= uint32(i.m) << 16
	}
	return word
}

// goSyntax maps instructions that Go's assembler knows, by ARM's name and lanes, to their text in Go's syntax.
// Instructions on the lowest lane alone end in ".d" (float64) or ".s" (float32).
var goSyntax = map[string]string{
	"fmla.4s": "VFMLA V{m}.S4, V{n}.S4, V{d}.S4",
	"fmla.2d": "VFMLA V{m}.D2, V{n}.D2, V{d}.D2",
	"fmls.4s": "VFMLS V{m}.S4, V{n}.S4, V{d}.S4",
	"add.4s":  "VADD V{m}.S4, V{n}.S4, V{d}.S4",
	"add.2d":  "VADD V{m}.D2, V{n}.D2, V{d}.D2",
	"sub.4s":  "VSUB V{m}.S4, V{n}.S4, V{d}.S4",
	"sub.2d":  "VSUB V{m}.D2, V{n}.D2, V{d}.D2",
	"and":     "VAND V{m}.B16, V{n}.B16, V{d}.B16",
	"orr":     "VORR V{m}.B16, V{n}.B16, V{d}.B16",
	"eor":     "VEOR V{m}.B16, V{n}.B16, V{d}.B16",
	"bsl":     "VBSL V{m}.B16, V{n}.B16, V{d}.B16",
	"bit":     "VBIT V{m}.B16, V{n}.B16, V{d}.B16",
	"bif":     "VBIF V{m}.B16, V{n}.B16, V{d}.B16",
	"cmeq.4s": "VCMEQ V{m}.S4, V{n}.S4, V{d}.S4",
	"uzp1.4s": "VUZP1 V{m}.S4, V{n}.S4, V{d}.S4",
	"uzp2.4s": "VUZP2 V{m}.S4, V{n}.S4, V{d}.S4",
	"zip1.4s": "VZIP1 V{m}.S4, V{n}.S4, V{d}.S4",
	"zip2.4s": "VZIP2 V{m}.S4, V{n}.S4, V{d}.S4",
	"zip1.2d": "VZIP1 V{m}.D2, V{n}.D2, V{d}.D2",
	"zip2.2d": "VZIP2 V{m}.D2, V{n}.D2, V{d}.D2",
	"zip1.8h": "VZIP1 V{m}.H8, V{n}.H8, V{d}.H8",
	"zip2.8h": "VZIP2 V{m}.H8, V{n}.H8, V{d}.H8",
	"trn1.4s": "VTRN1 V{m}.S4, V{n}.S4, V{d}.S4",
	"trn2.4s": "VTRN2 V{m}.S4, V{n}.S4, V{d}.S4",
	"trn1.2d": "VTRN1 V{m}.D2, V{n}.D2, V{d}.D2",
	"trn2.2d": "VTRN2 V{m}.D2, V{n}.D2, V{d}.D2",
	"addv.4s": "VADDV V{n}.S4, V{d}",
	"fsub.d":  "FSUBD F{m}, F{n}, F{d}",
	"fdiv.d":  "FDIVD F{m}, F{n}, F{d}",
	"fmla.d":  "FMADDD F{m}, F{d}, F{n}, F{d}",
	"fcvt.d":  "FCVTSD F{n}, F{d}", // float32 to float64
	"fcvt.s":  "FCVTDS F{n}, F{d}", // float64 to float32
	"mov":     "VMOV V{n}.B16, V{d}.B16",
	"zero":    "VMOVI $0, V{d}.B16",
}

// encodings maps instructions that Go's assembler does not know, by ARM's name and lanes, to the word with
// the number 0 in place of all registers. TestEncodings compares the words with LLVM's assembler.
var encodings = map[string]uint32{
	"fadd.4s":   0x4e20d400,
	"fsub.4s":   0x4ea0d400,
	"fmul.4s":   0x6e20dc00,
	"fdiv.4s":   0x6e20fc00,
	"fsqrt.4s":  0x6ea1f800,
	"fabs.4s":   0x4ea0f800,
	"fneg.4s":   0x6ea0f800,
	"fcmgt.4s":  0x6ea0e400,
	"fcmge.4s":  0x6e20e400,
	"fcmeq.4s":  0x4e20e400,
	"scvtf.4s":  0x4e21d800,
	"smin.4s":   0x4ea06c00,
	"abs.4s":    0x4ea0b800,
	"cmgt.4s":   0x4ea03400,
	"cmhi.4s":   0x6ea03400,
	"cmhs.8h":   0x6e603c00,
	"mul.4s":    0x4ea09c00,
	"umull.2d":  0x2ea0c000,
	"umull2.2d": 0x6ea0c000,
	"bic":       0x4e601c00,
	"fadd.2d":   0x4e60d400,
	"fsub.2d":   0x4ee0d400,
	"fmul.2d":   0x6e60dc00,
	"fdiv.2d":   0x6e60fc00,
	"fcmgt.2d":  0x6ee0e400,
	"fcmge.2d":  0x6e60e400,
	"fcmeq.2d":  0x4e60e400,
	"fcvtl.2d":  0x0e617800,
	"fcvtl2.2d": 0x4e617800,
	"fcvtn.2s":  0x0e616800,
	"fcvtn2.4s": 0x4e616800,
}

// operandLanes maps encoded instructions whose operands and result have different lanes to the lanes of the
// operands.
var operandLanes = map[string]string{
	"umull.2d":  "2s",
	"umull2.2d": "4s",
	"fcvtl.2d":  "2s",
	"fcvtl2.2d": "4s",
	"fcvtn.2s":  "2d",
	"fcvtn2.4s": "2d",
}

// readsDestination has the instructions that compute with the old value of their destination.
var readsDestination = map[string]bool{
	"fmla.4s":   true,
	"fmla.2d":   true,
	"fmla.d":    true,
	"fmls.4s":   true,
	"bsl":       true,
	"bit":       true,
	"bif":       true,
	"fcvtn2.4s": true,
}

// vector writes a vector instruction by ARM's name and lanes, such as "fadd.4s", with the registers in ARM's
// order: the destination first. A name without lanes, such as "and", is an instruction on all bits.
func (a *assembler) vector(name string, d vec, operands ...vec) {
	i := instruction{
		text:    vectorText(name, len(operands)),
		d:       d,
		n:       noVector,
		m:       noVector,
		readsD:  readsDestination[name],
		writesD: true,
		isCopy:  name == "mov",
	}
	if len(operands) > 0 {
		i.n = operands[0]
	}
	if len(operands) > 1 {
		i.m = operands[1]
	}
	a.emit(i)
}

// vectorText returns the text of a vector instruction with a number of operands. It panics if neither
// goSyntax nor encodings has the instruction.
func vectorText(name string, operands int) string {
	if text, ok := goSyntax[name]; ok {
		return text
	}
	word, ok := encodings[name]
	if !ok {
		panic("unknown vector instruction: " + name)
	}
	mnemonic, lanes, hasLanes := strings.Cut(name, ".")
	if !hasLanes {
		lanes = "16b"
	}
	source := lanes
	if other, differs := operandLanes[name]; differs {
		source = other
	}
	text := fmt.Sprintf("%#08x // %s v{d}.%s, v{n}.%s", word, mnemonic, lanes, source)
	if operands > 1 {
		text += ", v{m}." + source
	}
	return text
}

// fmlaLane adds n·m[lane] to each lane of d, rounded once. m[lane] is one of the four float32 of m.
func (a *assembler) fmlaLane(d, n, m vec, lane int) {
	text := fmt.Sprintf("%#08x // fmla v{d}.4s, v{n}.4s, v{m}.s[%d]", fmlaLaneWord(lane), lane)
	a.emit(instruction{text: text, d: d, n: n, m: m, readsD: true, writesD: true})
}

// fmlaLaneWord returns the word of fmlaLane for the registers 0: bit 21 is the low bit of the lane and bit 11
// the high bit.
func fmlaLaneWord(lane int) uint32 {
	return 0x4f801000 | uint32(lane&1)<<21 | uint32(lane>>1)<<11
}

// goLanes returns ARM's name of lanes, such as "4s", as Go's assembler writes it: "S4".
func goLanes(lanes string) string {
	size := lanes[len(lanes)-1:]
	return strings.ToUpper(size) + strings.TrimSuffix(lanes, size)
}

// shift shifts each lane of n, "4s" or "2d", by a number of bits to d: by "shl" to the left, by "ushr" to the
// right with zeros from the left, by "sshr" to the right with copies of the sign.
func (a *assembler) shift(name, lanes string, d, n vec, bits int) {
	var text string
	switch name {
	case "shl":
		text = fmt.Sprintf("VSHL $%d, V{n}.%s, V{d}.%s", bits, goLanes(lanes), goLanes(lanes))
	case "ushr":
		text = fmt.Sprintf("VUSHR $%d, V{n}.%s, V{d}.%s", bits, goLanes(lanes), goLanes(lanes))
	case "sshr":
		text = fmt.Sprintf("%#08x // sshr v{d}.%s, v{n}.%s, #%d", sshrWord(lanes, bits), lanes, lanes, bits)
	}
	a.emit(instruction{text: text, d: d, n: n, m: noVector, writesD: true})
}

// sshrWord returns the word of the shift sshr for the registers 0: bits 16 to 22 are twice the width of a
// lane less the number of bits.
func sshrWord(lanes string, bits int) uint32 {
	width := map[string]int{"4s": 32, "2d": 64}[lanes]
	return 0x4f000400 | uint32(2*width-bits)<<16
}

// duplicate copies one lane of n, such as "S[2]" or "D[1]", to all lanes of d.
func (a *assembler) duplicate(d, n vec, lane string) {
	allLanes := map[byte]string{'S': "S4", 'D': "D2"}[lane[0]]
	text := fmt.Sprintf("VDUP V{n}.%s, V{d}.%s", lane, allLanes)
	a.emit(instruction{text: text, d: d, n: n, m: noVector, writesD: true})
}

// duplicateGeneral copies a general register to all lanes of d, "4s" or "2d".
func (a *assembler) duplicateGeneral(from general, lanes string, d vec) {
	a.emit(vectorLoad(fmt.Sprintf("VDUP %s, V{d}.%s", from.Asm(), goLanes(lanes)), d))
}

// copyLane copies one lane of n, such as "S[2]" or "D[1]", to a general register.
func (a *assembler) copyLane(n vec, lane string, to general) {
	a.emit(vectorStore(fmt.Sprintf("VMOV V{n}.%s, %s", lane, to.Asm()), n))
}
