package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
)

// This file, instructions.go, memory.go and allocate.go are an assembler for arm64, which avo does not know.
// A kernel calls a method of assembler for each of its instructions, in their order:
//
//	a.function("add", "dst, x *float32", "adds four numbers to dst.")
//	dst, x := a.parameter("dst"), a.parameter("x") // general registers with addresses
//	sum, term := a.newVector(), a.newVector()      // virtual vector registers
//	a.loadVector(at(dst, 0), sum)
//	a.loadVector(at(x, 0), term)
//	a.vector("fadd.4s", sum, sum, term)
//	a.storeVector(sum, at(dst, 0))
//	a.op("RET")
//	a.finish() // chooses registers of the CPU
//
// Calls run once, when the assembly is written. A loop of Go therefore repeats instructions in the text; a loop
// that the CPU runs is a label and a branch to it.

// assembler writes one assembly file for arm64.
type assembler struct {
	name, dir  string           // of the file, without _arm64.s
	signatures []signature      // of all functions so far
	constants  []vectorConstant // of all functions so far: the read-only data of the file
	labels     int              // number of labels so far
	finished   string           // text of the finished functions

	// State of the current function.
	code             []instruction
	args             map[string]armArg
	free             []general   // general registers not in use
	nextVirtual      vec         // next new vector register
	localBytes       int         // size of the local memory
	lastConstantLoad int         // index in code of the last load at the last mark, or of the mark: see markConstants
	loadedConstants  map[int]vec // registers of the constants loaded at the last mark, by index in constants
	usesConstants    bool        // whether the function needs the address of the constants
}

// vectorConstant is a constant of 16 bytes, in two words.
type vectorConstant struct{ low, high uint64 }

// armArg is the place of an argument in the caller's frame.
type armArg struct {
	offset int    // bytes from the first argument
	kind   string // type in Go
}

// general is a general register of the CPU, which has an integer or an address.
type general int

const (
	constantsRegister general = 26 // has the address of the constants if a function uses one

	// Kernels must not use these registers, nor register 27 and above: the linker, the platform, the assembler and Go
	// own them.
	firstOwned general = 16
	lastOwned  general = 18
)

// Asm returns the register as Go's assembler writes it.
func (r general) Asm() string { return fmt.Sprintf("R%d", int(r)) }

// armMemory is the memory at an address in a register plus an offset in bytes.
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

// at returns the memory at the address in a register plus an offset in bytes.
func at(base Op, offset int) armMemory { return armMemory{base.(general), offset} }

// immediate is a constant operand of an instruction on general registers.
type immediate int64

// Asm returns the number as Go's assembler writes it.
func (n immediate) Asm() string { return fmt.Sprintf("$%d", int64(n)) }

// shifted is an operand of additions: the value of a register, shifted left.
type shifted struct {
	register general
	bits     int
}

// Asm returns the operand as Go's assembler writes it.
func (s shifted) Asm() string { return fmt.Sprintf("%s<<%d", s.register.Asm(), s.bits) }

// newAssembler returns an assembler of the file name_arm64.s in the folder dir.
func newAssembler(name, dir string) *assembler { return &assembler{name: name, dir: dir} }

// function begins a function, which finish ends. The parameters are the fields of signature.
func (a *assembler) function(name, args, doc string) {
	a.signatures = append(a.signatures, signature{name, doc, args})
	a.args = argumentOffsets(args)
	a.code = nil
	a.nextVirtual = firstVirtual
	a.localBytes = 0
	a.usesConstants = false
	a.free = nil
	for r := range constantsRegister {
		if r < firstOwned || r > lastOwned {
			a.free = append(a.free, r)
		}
	}
	a.markConstants()
}

// endOfArguments is the key of argumentOffsets whose offset is the size of all arguments.
const endOfArguments = ""

// argumentOffsets returns the place of each argument. args has the parameters as Go writes them. By the rules of Go's
// assembly, an argument is at a multiple of its size, after the argument before it.
func argumentOffsets(args string) map[string]armArg {
	offsets := map[string]armArg{}
	offset := 0
	fields := strings.Split(args, ", ")
	for i, field := range fields {
		name, kind, hasKind := strings.Cut(field, " ")
		for next := i + 1; !hasKind; next++ { // as in "a, b int": the type follows a later name
			_, kind, hasKind = strings.Cut(fields[next], " ")
		}
		size := sizeOf(kind)
		offset = (offset + size - 1) / size * size
		offsets[name] = armArg{offset, kind}
		offset += size
	}
	offsets[endOfArguments] = armArg{offset: (offset + 7) / 8 * 8}
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

// frameAddress returns the memory of an argument as Go's assembler writes it, and the argument's type in Go.
func (a *assembler) frameAddress(name string) (address, kind string) {
	arg, ok := a.args[name]
	if !ok {
		panic("unknown parameter: " + name)
	}
	return fmt.Sprintf("%s+%d(FP)", name, arg.offset), arg.kind
}

// general returns a free general register, which is then in use. It panics if none is free.
func (a *assembler) general() general {
	if len(a.free) == 0 {
		panic("a function needs too many general registers")
	}
	r := a.free[0]
	a.free = a.free[1:]
	return r
}

// release ends the use of general registers.
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

// local reserves local memory on the stack, and returns a new general register with its address.
func (a *assembler) local(bytes int) general {
	a.localBytes += bytes
	r := a.general()
	a.line(fmt.Sprintf("MOVD $local%d-%d(SP), %s", a.localBytes, a.localBytes, r.Asm()))
	return r
}

// line writes an instruction that has no virtual vector registers.
func (a *assembler) line(text string) { a.emit(withoutVectors(text)) }

// op writes an instruction on general registers, numbers and memory, with the operands in the order of Go's
// assembler. The last operand is the destination: op("SUB", a, b, c) is c = b − a, and op("SUB", a, b) is b −= a.
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
	i := withoutVectors("")
	i.label = label
	a.emit(i)
}

// branch writes a jump to a label: "B" always jumps, "BLT" and its like jump by the last comparison, and
// "CBZ" and "TBZ" jump by their operands.
func (a *assembler) branch(mnemonic, label string, operands ...Op) {
	words := make([]string, 0, len(operands)+1)
	for _, o := range operands {
		words = append(words, o.Asm())
	}
	words = append(words, label)
	i := withoutVectors(mnemonic + " " + strings.Join(words, ", "))
	i.target = label
	a.emit(i)
}

// comment writes a comment.
func (a *assembler) comment(text string) { a.line("// " + text) }

// copyGeneral copies a general register to a new one.
func (a *assembler) copyGeneral(r Op) general {
	c := a.general()
	a.op("MOVD", r, c)
	return c
}

// finish ends the function: it gives the virtual registers registers of the CPU and keeps the text. It panics if
// there are not enough registers. The caller writes the returns.
func (a *assembler) finish() {
	f := a.signatures[len(a.signatures)-1]
	code, err := allocate(a.code)
	if err != nil {
		panic(f.name + ": " + err.Error())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n// func %s(%s)\n", f.name, f.args)
	fmt.Fprintf(&b, "TEXT ·%s(SB), NOSPLIT, $%d-%d\n", f.name, a.frameBytes(), a.args[endOfArguments].offset)
	if a.usesConstants {
		fmt.Fprintf(&b, "\tMOVD $%s(SB), %s\n", a.constantsSymbol(), constantsRegister.Asm())
	}
	for _, i := range code {
		b.WriteString(i.render())
	}
	a.finished += b.String()
}

// frameBytes returns the size of the function's frame. Go's assembler wants 8 bytes more than a multiple of 16.
func (a *assembler) frameBytes() int {
	if a.localBytes == 0 {
		return 0
	}
	return (a.localBytes+15)/16*16 + 8
}

// constantsSymbol returns the symbol of the constants.
func (a *assembler) constantsSymbol() string { return a.name + "_constants<>" }

// constantIndex returns the index of a constant in the file's constants. It appends the constant if it is new.
func (a *assembler) constantIndex(c vectorConstant) int {
	i := slices.Index(a.constants, c)
	if i < 0 {
		i = len(a.constants)
		a.constants = append(a.constants, c)
	}
	return i
}

// save writes the assembly file.
func (a *assembler) save() error {
	var b strings.Builder
	b.WriteString("// Code generated by gen. DO NOT EDIT.\n\n#include \"textflag.h\"\n")
	if len(a.constants) > 0 {
		b.WriteString("\n")
		for i, c := range a.constants {
			fmt.Fprintf(&b, "DATA %s+%d(SB)/8, $%#016x\n", a.constantsSymbol(), vectorBytes*i, c.low)
			fmt.Fprintf(&b, "DATA %s+%d(SB)/8, $%#016x\n", a.constantsSymbol(), vectorBytes*i+8, c.high)
		}
		fmt.Fprintf(&b, "GLOBL %s(SB), RODATA|NOPTR, $%d\n", a.constantsSymbol(), vectorBytes*len(a.constants))
	}
	b.WriteString(a.finished)
	return os.WriteFile(filepath.Join(a.dir, a.name+"_arm64.s"), []byte(b.String()), 0o644)
}
