package main

// This file has the instructions on vector registers. Go's assembler has those of goSyntax, the shifts but
// sshr, and the loads, stores and copies of lanes: they are written in its syntax. It lacks those of
// encodings, sshr, and fmla by an element: they are written as words, with ARM's notation in a comment.

import (
	"fmt"
	"strconv"
	"strings"
)

// vec is the number of a vector register: 0 to 31, or from firstVirtual on a virtual register, which
// allocate replaces.
type vec int

const (
	noVector     vec = -1
	vectorCount      = 32
	firstVirtual vec = vectorCount
)

// Asm returns the register as Go's assembler writes it. A virtual register has no such form.
func (v vec) Asm() string { return fmt.Sprintf("V%d", int(v)) }

// instruction is an instruction, a label or a mark of a function for arm64.
type instruction struct {
	text    string // of Go's assembler, with {d}, {n} and {m} for the numbers of vector registers
	d, n, m vec    // noVector if the instruction does not have the register
	reads   bool   // whether d is read
	writes  bool   // whether d is written

	label  string // of a label
	target string // label to which a branch goes

	isCopy  bool // copies n to d: left out if both get the same number
	isScope bool // mark where constants can be loaded: see constantScope
	isEarly bool // loads a constant at a mark, before a loop
}

// render returns the instruction as a line of text. The comment of an encoded instruction shows it in
// ARM's notation.
func (i instruction) render() string {
	switch {
	case i.isScope:
		return ""
	case i.label != "":
		return i.label + ":\n"
	}
	text := strings.NewReplacer("{d}", strconv.Itoa(int(i.d)), "{n}", strconv.Itoa(int(i.n)), "{m}", strconv.Itoa(int(i.m))).Replace(i.text)
	if word, comment, isEncoded := strings.Cut(text, " // "); isEncoded {
		base, err := strconv.ParseUint(word, 0, 32)
		if err != nil {
			panic(err)
		}
		return fmt.Sprintf("\tWORD $%#08x // %s\n", i.encode(uint32(base)), comment)
	}
	return "\t" + text + "\n"
}

// encode returns the instruction whose registers are all 0 with its registers: ARM's instructions on
// vectors have d in bits 0 to 4, n in bits 5 to 9 and m in bits 16 to 20.
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

// goSyntax are the instructions on vector registers that Go's assembler has, by ARM's name and size of lanes.
// Those of one number have the size "d" or "s".
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

// encodings are the vector instructions that Go's assembler lacks, with registers 0. TestEncodings
// compares them with LLVM's assembler.
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

// sources are the lanes of the operands of encoded instructions, where they differ from those of the
// result.
var sources = map[string]string{
	"umull.2d":  "2s",
	"umull2.2d": "4s",
	"fcvtl.2d":  "2s",
	"fcvtl2.2d": "4s",
	"fcvtn.2s":  "2d",
	"fcvtn2.4s": "2d",
}

// readsResult are the instructions that also read the register of the result.
var readsResult = map[string]bool{
	"fmla.4s":   true,
	"fmla.2d":   true,
	"fmla.d":    true,
	"fmls.4s":   true,
	"bsl":       true,
	"bit":       true,
	"bif":       true,
	"fcvtn2.4s": true,
}

// vector writes a vector instruction by ARM's name and size of lanes, such as "fadd.4s", with the operands
// in ARM's order: the destination first. Instructions on all bits have no size.
func (a *assembler) vector(name string, d vec, operands ...vec) {
	i := instruction{d: d, n: noVector, m: noVector, writes: true, reads: readsResult[name]}
	if len(operands) > 0 {
		i.n = operands[0]
	}
	if len(operands) > 1 {
		i.m = operands[1]
	}
	i.text = vectorText(name, len(operands))
	i.isCopy = name == "mov"
	a.text = append(a.text, i)
}

// vectorText returns the text of a vector instruction with a number of operands.
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
	if s, differs := sources[name]; differs {
		source = s
	}
	text := fmt.Sprintf("%#08x // %s v{d}.%s, v{n}.%s", word, mnemonic, lanes, source)
	if operands > 1 {
		text += ", v{m}." + source
	}
	return text
}

// fmlaElement writes d += n·m[lane] for each lane of n, rounded once. m[lane] is one of four float32.
func (a *assembler) fmlaElement(d, n, m vec, lane int) {
	text := fmt.Sprintf("%#08x // fmla v{d}.4s, v{n}.4s, v{m}.s[%d]", elementWord(lane), lane)
	a.text = append(a.text, instruction{text: text, d: d, n: n, m: m, reads: true, writes: true})
}

// elementWord returns the encoding of fmlaElement with registers 0: bit 21 is the low bit of the lane and
// bit 11 the high bit.
func elementWord(lane int) uint32 {
	return 0x4f801000 | uint32(lane&1)<<21 | uint32(lane>>1)<<11
}

// shift writes a shift of each lane by a number of bits: "shl", "ushr" (fills in zeros) or "sshr" (keeps
// the sign), of lanes "4s" or "2d".
func (a *assembler) shift(name, lanes string, d, n vec, bits int) {
	var text string
	arrangement := map[string]string{"4s": "S4", "2d": "D2"}[lanes]
	switch name {
	case "shl":
		text = fmt.Sprintf("VSHL $%d, V{n}.%s, V{d}.%s", bits, arrangement, arrangement)
	case "ushr":
		text = fmt.Sprintf("VUSHR $%d, V{n}.%s, V{d}.%s", bits, arrangement, arrangement)
	case "sshr":
		text = fmt.Sprintf("%#08x // sshr v{d}.%s, v{n}.%s, #%d", sshrWord(lanes, bits), lanes, lanes, bits)
	}
	a.text = append(a.text, instruction{text: text, d: d, n: n, m: noVector, writes: true})
}

// sshrWord returns the encoding of a shift to the right that keeps the sign, with registers 0: bits 16 to
// 22 are twice the lanes' width less the number of bits.
func sshrWord(lanes string, bits int) uint32 {
	width := map[string]int{"4s": 32, "2d": 64}[lanes]
	return 0x4f000400 | uint32(2*width-bits)<<16
}

// loadVector loads 16 bytes.
func (a *assembler) loadVector(from armMemory, d vec) { a.loadPart("FMOVQ", from, d) }

// loadPart loads 4, 8 or 16 bytes by FMOVS, FMOVD or FMOVQ, and clears the rest of the register.
func (a *assembler) loadPart(mnemonic string, from armMemory, d vec) {
	a.text = append(a.text, instruction{text: fmt.Sprintf("%s %s, F{d}", mnemonic, from.Asm()), d: d, n: noVector, m: noVector, writes: true})
}

// storeVector stores 16 bytes.
func (a *assembler) storeVector(d vec, to armMemory) { a.storePart("FMOVQ", d, to) }

// storePart stores the low 4, 8 or 16 bytes of a register by FMOVS, FMOVD or FMOVQ.
func (a *assembler) storePart(mnemonic string, n vec, to armMemory) {
	a.text = append(a.text, instruction{text: fmt.Sprintf("%s F{n}, %s", mnemonic, to.Asm()), d: noVector, n: n, m: noVector})
}

// loadLane loads one lane of four, at an address in a register, and keeps the others.
func (a *assembler) loadLane(from general, d vec, lane int) {
	text := fmt.Sprintf("VLD1 (%s), V{d}.S[%d]", from.Asm(), lane)
	a.text = append(a.text, instruction{text: text, d: d, n: noVector, m: noVector, reads: true, writes: true})
}

// storeLane stores one lane of four at an address in a register.
func (a *assembler) storeLane(n vec, lane int, to general) {
	text := fmt.Sprintf("VST1 V{n}.S[%d], (%s)", lane, to.Asm())
	a.text = append(a.text, instruction{text: text, d: noVector, n: n, m: noVector})
}

// loadRepeated loads a number of 4 or 8 bytes (lanes "4s" or "2d"), at an address in a register, to all
// lanes.
func (a *assembler) loadRepeated(from general, lanes string, d vec) {
	arrangement := map[string]string{"4s": "S4", "2d": "D2"}[lanes]
	text := fmt.Sprintf("VLD1R (%s), [V{d}.%s]", from.Asm(), arrangement)
	a.text = append(a.text, instruction{text: text, d: d, n: noVector, m: noVector, writes: true})
}

// duplicate copies one lane of n ("S[2]", "D[1]") to all lanes of d.
func (a *assembler) duplicate(d, n vec, lane string) {
	text := fmt.Sprintf("VDUP V{n}.%s, V{d}.%s", lane, map[byte]string{'S': "S4", 'D': "D2"}[lane[0]])
	a.text = append(a.text, instruction{text: text, d: d, n: n, m: noVector, writes: true})
}

// spread copies a general register to all lanes of d, "4s" or "2d".
func (a *assembler) spread(from general, lanes string, d vec) {
	arrangement := map[string]string{"4s": "S4", "2d": "D2"}[lanes]
	a.text = append(a.text, instruction{text: fmt.Sprintf("VDUP %s, V{d}.%s", from.Asm(), arrangement), d: d, n: noVector, m: noVector, writes: true})
}

// takeLane copies one lane of n ("S[2]", "D[1]") to a general register.
func (a *assembler) takeLane(n vec, lane string, to general) {
	a.text = append(a.text, instruction{text: fmt.Sprintf("VMOV V{n}.%s, %s", lane, to.Asm()), d: noVector, n: n, m: noVector})
}
