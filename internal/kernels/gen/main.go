// Command gen writes the assembly of package kernels.
//
//	go run -C gen . ..
//
// in the folder above writes, for each platform, an assembly file for each family of kernels, a Go file that declares
// their functions, and a Go file for other platforms whose functions are never called. It writes the same bytes each
// time. It does not compile or test them: the tests of package kernels compare the assembly with portable Go.
//
// # How to read a kernel
//
// A kernel is a Go function that calls a method for each instruction, in order. The Go code runs when the assembly is
// written, so a loop or a condition of Go repeats or chooses instructions. A loop of the CPU is a label and a branch to
// it:
//
//	again := m.label("again") // a new name
//	m.place(again)            // here in the assembly
//	…                         // the instructions of a turn
//	m.branch("BNE", again)    // back, unless the counter is 0
//
// A function whose comment says that it adds, loads or stores numbers writes the instructions for it. A function that
// returns a vector, such as add, writes the instructions that compute the vector and returns the register with it.
//
// # Files
//
// Elementwise kernels are written once, with the methods of vectors (vectormath.go): elementwise.go and adam.go with
// their functions in transcendental.go, special.go and double.go. The methods exist for amd64 (avx.go and double_avx.go,
// by the module avo) and for arm64 (neon.go, control_neon.go and double_neon.go, by the assembler in assembler.go,
// instructions.go, memory.go and allocate.go).
//
// The other kernels depend on how an instruction set moves and masks numbers, and are written twice: gather.go for AVX2
// and AVX-512, gather_neon.go for arm64.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// family is a group of kernels with an assembly file for each platform.
type family struct {
	name  string
	amd64 func(*generator)
	arm64 func(*assembler) // nil if arm64 has no assembly
}

// families lists the families in the order of their declarations in the stubs.
var families = []family{
	{"gemm", gemm, gemmNEON},
	{"pack", pack, packNEON},
	{"gemv", gemv, gemvNEON},
	{"transpose", transpose, transposeNEON},
	{"masks", masks, masksNEON},
	{"noise", noise, noiseNEON},
	bothPlatforms("elementwise", elementwise),
	{"reduce", reduce, reduceNEON},
	bothPlatforms("adam", adam),
	{"gather", gather, gatherNEON},
	{"rows", copyRows, rowsNEON},
	{"moments", moments, momentsNEON},
}

// bothPlatforms returns a family whose kernels are written once for all instruction sets: write calls forEach with
// the code of a kernel, and forEach runs the code for each instruction set. dir is the folder of package kernels.
func bothPlatforms(name string, write func(dir string, forEach isaLoop)) family {
	return family{
		name: name,
		amd64: func(g *generator) {
			write(g.dir, func(kernel func(m vectorMath, suffix string)) {
				forEachISA(g, func(m avx, suffix string) { kernel(vectorMath{m}, suffix) })
			})
		},
		arm64: func(a *assembler) {
			write(a.dir, func(kernel func(m vectorMath, suffix string)) {
				kernel(vectorMath{newNEON(a)}, neonSuffix)
				a.finish()
			})
		},
	}
}

// main writes all files to the folder that the argument names. It ends with exit status 1 at the first
// error.
func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: gen FOLDER")
	}
	out := os.Args[1]
	amd64 := writeAMD64(out)
	arm64 := writeARM64(out)
	err := errors.Join(
		declarations("stubs_amd64.go").save(out, amd64),
		declarations("stubs_arm64.go").save(out, arm64),
		panics("stubs_without_avx.go", "!amd64").save(out, amd64),
		panics("stubs_without_neon.go", "!arm64").save(out, arm64),
	)
	if err != nil {
		log.Fatal(err)
	}
}

// writeAMD64 writes the assembly files for amd64 and returns their functions. It ends the program at an error.
func writeAMD64(out string) (functions []signature) {
	const maxErrors = 10 // printed errors of one file
	for _, f := range families {
		g := newGenerator(f.name, out)
		f.amd64(g)
		functions = append(functions, g.signatures...)
		if err := g.save(); err != nil {
			build.LogError(log.Default(), err, maxErrors)
			os.Exit(1)
		}
	}
	return functions
}

// writeARM64 writes the assembly files for arm64 and returns their functions. It ends the program at an error.
func writeARM64(out string) (functions []signature) {
	for _, f := range families {
		if f.arm64 == nil {
			continue
		}
		a := newAssembler(f.name, out)
		f.arm64(a)
		functions = append(functions, a.signatures...)
		if err := a.save(); err != nil {
			log.Fatal(err)
		}
	}
	return functions
}

// generator writes one assembly file for amd64, with the methods of build.Context: one for each
// instruction.
type generator struct {
	*build.Context
	name, dir  string          // of the file, without _amd64.s
	signatures []signature     // of the functions so far
	tables     map[string]bool // symbols of the read-only tables so far
	labels     int             // number of labels so far
}

// signature is the declaration of a function in Go.
type signature struct {
	name string
	doc  string // without the name
	args string // parameters without parentheses
}

// newGenerator returns a generator of the file name_amd64.s in the folder dir.
func newGenerator(name, dir string) *generator {
	g := &generator{
		Context: build.NewContext(),
		name:    name,
		dir:     dir,
		tables:  map[string]bool{},
	}
	g.ConstraintExpr("amd64")
	return g
}

// function begins a function. The parameters are the fields of signature.
func (g *generator) function(name, args, doc string) {
	g.signatures = append(g.signatures, signature{name, doc, args})
	g.Function(name)
	g.Attributes(noSplit)
	// avo does not know the type tile. Any pointer type has the same size.
	g.SignatureExpr("func(" + strings.ReplaceAll(args, "*tile", "*byte") + ")")
}

// label returns a label that begins with word and is unique in the file.
func (g *generator) label(word string) string {
	g.labels++
	return fmt.Sprintf("%s%d", word, g.labels)
}

// save compiles the file and writes its assembly.
func (g *generator) save() error {
	file, err := g.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return err
	}
	if err := checkAVX2Registers(file); err != nil {
		return err
	}
	if err := checkNoSSE(file); err != nil {
		return err
	}
	text, err := printer.NewGoAsm(printer.Config{Name: "gen", Pkg: "kernels"}).Print(file)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(g.dir, g.name+"_amd64.s"), text, 0o644)
}

// checkAVX2Registers returns an error if a function for AVX2 uses a register that only AVX-512 has.
// avo allocates registers without checking.
func checkAVX2Registers(file *ir.File) error {
	for _, f := range file.Functions() {
		if !strings.HasSuffix(f.Name, "AVX2") {
			continue
		}
		for _, instruction := range f.Instructions() {
			registers := registersOf(instruction)
			i := slices.IndexFunc(registers, needsAVX512)
			if i >= 0 {
				return fmt.Errorf("%s: %s uses %s, which only AVX-512 has", f.Name, instruction.Opcode, registers[i].Asm())
			}
		}
	}
	return nil
}

// registersOf returns the registers that an instruction reads and writes.
func registersOf(i *ir.Instruction) []reg.Register {
	return append(i.InputRegisters(), i.OutputRegisters()...)
}

// needsAVX512 reports whether a register of the CPU is one that only AVX-512 has: a mask, a vector of 64
// bytes, or a vector with the number 16 or above.
func needsAVX512(r reg.Register) bool {
	const (
		lastAVX2Vector = 15 // number of the last vector register of AVX2
		bytesAVX2      = 32 // size of a vector of AVX2
	)
	p, isPhysical := r.(reg.Physical)
	if !isPhysical {
		return false
	}
	switch p.Kind() {
	case reg.KindOpmask:
		return true
	case reg.KindVector:
		return p.PhysicalIndex() > lastAVX2Vector || p.Size() > bytesAVX2
	}
	return false
}

// checkNoSSE returns an error if a function uses vector registers by an instruction of SSE, whose name
// lacks the V of AVX. Intel's CPUs take dozens of cycles for such an instruction while the upper halves
// of the registers are in use.
func checkNoSSE(file *ir.File) error {
	isVector := func(r reg.Register) bool { return r.Kind() == reg.KindVector }
	for _, f := range file.Functions() {
		for _, instruction := range f.Instructions() {
			isAVX := strings.HasPrefix(instruction.Opcode, "V")
			if !isAVX && slices.ContainsFunc(registersOf(instruction), isVector) {
				return fmt.Errorf("%s: %s is an SSE instruction; use V%s", f.Name, instruction.Opcode, instruction.Opcode)
			}
		}
	}
	return nil
}

// stub is a Go file with the functions of the assembly files of a platform.
type stub struct {
	name       string
	constraint string // build constraint, above the package clause
	pragma     string // compiler directive above each function
	body       string // text after each signature: a function body, or only the end of the line
}

// declarations returns the file that declares the functions for their platform, which has the assembly.
func declarations(name string) stub {
	return stub{name: name, pragma: "//go:noescape\n", body: "\n"}
}

// panics returns the file for other platforms, which lets the package compile: its functions panic.
func panics(name, constraint string) stub {
	return stub{name: name, constraint: "//go:build " + constraint + "\n\n", body: " { panic(noAssembly) }\n"}
}

// save writes the file of the given functions to a folder.
func (s stub) save(dir string, functions []signature) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by gen. DO NOT EDIT.\n\n%spackage kernels\n", s.constraint)
	for _, f := range functions {
		fmt.Fprintf(&b, "\n// %s %s\n", f.name, f.doc)
		if s.pragma != "" {
			fmt.Fprintf(&b, "//\n%s", s.pragma)
		}
		fmt.Fprintf(&b, "func %s(%s)%s", f.name, f.args, s.body)
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, s.name), text, 0o644)
}
