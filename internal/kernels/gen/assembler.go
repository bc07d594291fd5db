package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
)

// This file, instructions.go and allocate.go write assembly for arm64, which avo does not know. A
// kernel calls the methods of assembler in the order of its instructions.

// assembler writes one assembly file for arm64.
type assembler struct {
	name, dir  string           // of the file, without _arm64.s
	signatures []signature      // of the functions so far
	pool       []vectorConstant // constants of all functions
	labels     int              // number of labels so far
	functions  string           // text of the complete functions

	text     []instruction     // of the current function
	args     map[string]armArg // of the current function
	free     []general         // general registers that the current function does not use
	next     vec               // number of the next virtual register
	frame    int               // bytes of local memory
	scope    int               // index in text of the last constantScope, or of the last constant loaded there
	found    map[int]vec       // registers of the constants loaded there, by index in pool
	usesPool bool              // whether the function needs the address of the pool
}

// vectorConstant is a vector of 16 bytes.
type vectorConstant struct{ low, high uint64 }

// armArg is the place of a parameter in the caller's frame.
type armArg struct {
	offset int
	kind   string // type in Go
}

// general is the number of a general register.
type general int

// constantsRegister has the address of the constants, if a function has any. Registers 16 to 18 and from
// 27 on belong to the linker, the platform, the assembler and Go.
const constantsRegister general = 26

// Asm returns the register as Go's assembler writes it.
func (r general) Asm() string { return fmt.Sprintf("R%d", int(r)) }

// armMemory is the memory offset bytes after a register.
type armMemory struct {
	base   general
	offset int
}

// Asm returns the address as Go's assembler writes it.
func (m armMemory) Asm() string {
	if m.offset == 0 {
		return fmt.Sprintf("(%s)", m.base.Asm())
	}
	return fmt.Sprintf("%d(%s)", m.offset, m.base.Asm())
}

// at returns the memory offset bytes after the address in a register.
func at(base Op, offset int) armMemory { return armMemory{base.(general), offset} }

// immediate is a constant operand of an instruction on general registers.
type immediate int64

// Asm returns the number as Go's assembler writes it.
func (n immediate) Asm() string { return fmt.Sprintf("$%d", int64(n)) }

// indexed is a general register that is shifted left by a number of bits.
type indexed struct {
	register general
	bits     int
}

// Asm returns the operand as Go's assembler writes it.
func (s indexed) Asm() string { return fmt.Sprintf("%s<<%d", s.register.Asm(), s.bits) }

// newAssembler returns an assembler of the file name_arm64.s in the folder dir.
func newAssembler(name, dir string) *assembler { return &assembler{name: name, dir: dir} }

// function begins a function, after which finish must be called. Its parameters are described at
// signature.
func (a *assembler) function(name, args, doc string) {
	a.signatures = append(a.signatures, signature{name, doc, args})
	a.args = argumentOffsets(args)
	a.text = nil
	a.next = firstVirtual
	a.frame = 0
	a.usesPool = false
	a.free = nil
	for r := range constantsRegister {
		if r < 16 || r > 18 {
			a.free = append(a.free, r)
		}
	}
	a.constantScope()
}

// argumentOffsets returns the places of parameters, which are written as in Go, in the order of the stack:
// each at a multiple of its size.
func argumentOffsets(args string) map[string]armArg {
	offsets := map[string]armArg{}
	offset := 0
	fields := strings.Split(args, ", ")
	for i, field := range fields {
		name, kind, hasKind := strings.Cut(field, " ")
		for next := i + 1; !hasKind; next++ { // the type stands after a later name
			_, kind, hasKind = strings.Cut(fields[next], " ")
		}
		size := sizeOf(kind)
		offset = (offset + size - 1) / size * size
		offsets[name] = armArg{offset, kind}
		offset += size
	}
	offsets[""] = armArg{offset: (offset + 7) / 8 * 8} // the end
	return offsets
}

// sizeOf returns the size of a parameter type in bytes.
func sizeOf(kind string) int {
	switch kind {
	case "int32", "uint32", "float32":
		return 4
	case "int", "int64", "uint64", "float64":
		return 8
	}
	if strings.HasPrefix(kind, "*") {
		return 8
	}
	panic("unknown type of a parameter: " + kind)
}

// frameAddress returns the parameter as Go's assembler writes it.
func (a *assembler) frameAddress(name string) (address, kind string) {
	arg, ok := a.args[name]
	if !ok {
		panic("unknown parameter: " + name)
	}
	return fmt.Sprintf("%s+%d(FP)", name, arg.offset), arg.kind
}

// general returns a general register that the function does not use yet.
func (a *assembler) general() general {
	if len(a.free) == 0 {
		panic("a function needs too many general registers")
	}
	r := a.free[0]
	a.free = a.free[1:]
	return r
}

// release makes general registers available again.
func (a *assembler) release(registers ...general) { a.free = append(a.free, registers...) }

// parameter loads an integer or pointer argument of the function into a new general register.
func (a *assembler) parameter(name string) general {
	address, kind := a.frameAddress(name)
	r := a.general()
	mnemonic := "MOVD"
	switch kind {
	case "uint32":
		mnemonic = "MOVWU"
	case "int32":
		mnemonic = "MOVW"
	}
	a.line(fmt.Sprintf("%s %s, %s", mnemonic, address, r.Asm()))
	return r
}

// local returns a new general register with the address of new local memory.
func (a *assembler) local(bytes int) general {
	a.frame += bytes
	r := a.general()
	a.line(fmt.Sprintf("MOVD $local%d-%d(SP), %s", a.frame, a.frame, r.Asm()))
	return r
}

// line writes an instruction that has no vector register, or only numbered ones.
func (a *assembler) line(text string) {
	a.text = append(a.text, instruction{text: text, d: noVector, n: noVector, m: noVector})
}

// op writes an instruction of Go's assembler on general registers, numbers and memory. The last operand
// is the destination.
func (a *assembler) op(mnemonic string, operands ...Op) {
	words := make([]string, len(operands))
	for i, o := range operands {
		words[i] = o.Asm()
	}
	a.line(strings.TrimSpace(mnemonic + " " + strings.Join(words, ", ")))
}

// label returns a label that begins with word and is unique in the file.
func (a *assembler) label(word string) string {
	a.labels++
	return fmt.Sprintf("%s%d", word, a.labels)
}

// place puts a label before the next instruction.
func (a *assembler) place(label string) {
	a.text = append(a.text, instruction{label: label, d: noVector, n: noVector, m: noVector})
}

// branch writes a jump to a label, such as "B", "BLT" or, with operands before the label, "CBZ" and "TBZ".
func (a *assembler) branch(mnemonic, label string, operands ...Op) {
	words := make([]string, 0, len(operands)+1)
	for _, o := range operands {
		words = append(words, o.Asm())
	}
	words = append(words, label)
	a.line(mnemonic + " " + strings.Join(words, ", "))
	a.text[len(a.text)-1].target = label
}

// comment writes a comment.
func (a *assembler) comment(text string) { a.line("// " + text) }

// copyGeneral copies a general register to a new one.
func (a *assembler) copyGeneral(r Op) general {
	c := a.general()
	a.op("MOVD", r, c)
	return c
}

// finish ends the function: it assigns numbers to the virtual registers and keeps the text. It panics if
// there are not enough registers. The caller writes the returns.
func (a *assembler) finish() {
	name := a.signatures[len(a.signatures)-1].name
	text, err := allocate(a.text)
	if err != nil {
		panic(name + ": " + err.Error())
	}
	frame := 0
	if a.frame > 0 { // Go wants 8 bytes more than a multiple of 16
		frame = (a.frame+15)/16*16 + 8
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n// func %s(%s)\nTEXT ·%s(SB), NOSPLIT, $%d-%d\n", name, a.signatures[len(a.signatures)-1].args, name, frame, a.args[""].offset)
	if a.usesPool {
		fmt.Fprintf(&b, "\tMOVD $%s(SB), %s\n", a.poolName(), constantsRegister.Asm())
	}
	for _, i := range text {
		b.WriteString(i.render())
	}
	a.functions += b.String()
}

// poolName returns the symbol of the constants.
func (a *assembler) poolName() string { return a.name + "_constants<>" }

// constantIndex returns the index of a vector in the pool.
func (a *assembler) constantIndex(c vectorConstant) int {
	i := slices.Index(a.pool, c)
	if i < 0 {
		i = len(a.pool)
		a.pool = append(a.pool, c)
	}
	return i
}

// save writes the assembly file.
func (a *assembler) save() error {
	var b strings.Builder
	b.WriteString("// Code generated by gen. DO NOT EDIT.\n\n#include \"textflag.h\"\n")
	if len(a.pool) > 0 {
		b.WriteString("\n")
		for i, c := range a.pool {
			fmt.Fprintf(&b, "DATA %s+%d(SB)/8, $%#016x\n", a.poolName(), 16*i, c.low)
			fmt.Fprintf(&b, "DATA %s+%d(SB)/8, $%#016x\n", a.poolName(), 16*i+8, c.high)
		}
		fmt.Fprintf(&b, "GLOBL %s(SB), RODATA|NOPTR, $%d\n", a.poolName(), 16*len(a.pool))
	}
	b.WriteString(a.functions)
	return os.WriteFile(filepath.Join(a.dir, a.name+"_arm64.s"), []byte(b.String()), 0o644)
}
