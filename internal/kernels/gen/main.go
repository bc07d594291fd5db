// Command gen writes the assembly of package kernels. Start reading at main and at avx, with
// which most kernels are written. The command does not compile or test what it writes: the tests
// of package kernels compare the assembly with portable Go.
//
//	go run -C gen . ..
//
// in the folder above writes, for each platform, one assembly file for each family of kernels, a Go file
// that declares their functions, and a Go file for other platforms, whose functions are never called. It
// writes the same bytes each time.
package main

import (
	"bytes"
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

// family is a family of kernels, which has one assembly file for each platform.
type family struct {
	name  string
	amd64 func(*generator)
	arm64 func(*assembler) // nil if arm64 has no assembly
}

// families are the families in the order in which they are written.
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

// bothPlatforms returns a family whose kernels are written once for all instruction sets. dir is the folder
// of package kernels.
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
	for _, f := range []struct {
		stub
		functions []signature
	}{
		{declarations("stubs_amd64.go"), amd64},
		{declarations("stubs_arm64.go"), arm64},
		{panics("stubs_without_avx.go", "!amd64"), amd64},
		{panics("stubs_without_neon.go", "!arm64"), arm64},
	} {
		if err := f.save(out, f.functions); err != nil {
			log.Fatal(err)
		}
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

// generator writes one assembly file, with the methods of build.Context, which has one method for
// each instruction.
type generator struct {
	*build.Context
	name, dir       string            // of the file, without _amd64.s
	signatures      []signature       // of the functions so far
	constants       map[uint32]string // symbols of the constants so far, by 32-bit word
	doubleConstants map[uint64]string // symbols of the constants so far, by 64-bit word
	labels          int               // number of labels so far
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
		Context:         build.NewContext(),
		name:            name,
		dir:             dir,
		constants:       map[uint32]string{},
		doubleConstants: map[uint64]string{},
	}
	g.ConstraintExpr("amd64")
	return g
}

// function begins a function. Its parameters are described at signature.
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
			for _, r := range registersOf(instruction) {
				physical, isPhysical := r.(reg.Physical)
				if isPhysical && needsAVX512(physical) {
					return fmt.Errorf("%s: %s uses %s, which only AVX-512 has", f.Name, instruction.Opcode, physical.Asm())
				}
			}
		}
	}
	return nil
}

// registersOf returns the registers that an instruction reads and writes.
func registersOf(i *ir.Instruction) []reg.Register {
	return append(i.InputRegisters(), i.OutputRegisters()...)
}

// needsAVX512 reports whether only AVX-512 has a register: masks, vectors of 64 bytes, and vectors
// from number 16 on.
func needsAVX512(p reg.Physical) bool {
	const (
		lastAVX2Vector = 15 // number of the last vector register of AVX2
		bytesAVX2      = 32 // size of a vector of AVX2
	)
	switch p.Kind() {
	case reg.KindOpmask:
		return true
	case reg.KindVector:
		return p.PhysicalIndex() > lastAVX2Vector || p.Size() > bytesAVX2
	}
	return false
}

// checkNoSSE returns an error if an instruction on vector registers is one of SSE, whose name lacks the
// V of AVX. While the upper halves of the registers are in use, Intel's CPUs take dozens of cycles for
// each.
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

// stub is a Go file that declares the functions.
type stub struct {
	name       string
	constraint string // build constraint, above the package clause
	pragma     string // compiler directive above each function
	body       string // text after each signature
}

// declarations returns the file that declares the functions of a platform's assembly.
func declarations(name string) stub {
	return stub{name: name, pragma: "//go:noescape\n", body: "\n"}
}

// panics returns the file with functions in place of assembly that other platforms have.
func panics(name, constraint string) stub {
	return stub{name: name, constraint: "//go:build " + constraint + "\n\n", body: " { panic(noAssembly) }\n"}
}

// save writes the declarations of functions to a folder.
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
