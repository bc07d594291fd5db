// Command gen writes the assembly of package kernels. Start reading at main and at vectorMath, with
// which most kernels are written. The command does not compile or test what it writes: the tests
// of package kernels compare the assembly with portable Go.
//
//	go run -C gen . ..
//
// in the folder above writes one assembly file for each family of kernels, a Go file that declares
// their functions, and a Go file for other platforms, whose functions are never called. It writes
// the same bytes each time.
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

// families are the assembly files, in the order in which they are written.
var families = []struct {
	name  string
	write func(*generator)
}{
	{"gemm", gemm},
	{"pack", pack},
	{"gemv", gemv},
	{"transpose", transpose},
	{"masks", masks},
	{"noise", noise},
	{"elementwise", elementwise},
	{"reduce", reduce},
	{"adam", adam},
	{"gather", gather},
	{"rows", copyRows},
	{"moments", moments},
}

// main writes all files to the folder that the argument names. It ends with exit status 1 at the first
// error.
func main() {
	const maxErrors = 10 // printed errors of one file
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: gen FOLDER")
	}
	out := os.Args[1]
	var signatures []signature
	for _, f := range families {
		g := newGenerator(f.name, out)
		f.write(g)
		signatures = append(signatures, g.signatures...)
		if err := g.save(); err != nil {
			build.LogError(log.Default(), err, maxErrors)
			os.Exit(1)
		}
	}
	for _, s := range stubs {
		if err := s.save(out, signatures); err != nil {
			log.Fatal(err)
		}
	}
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

// stubs are the Go files that declare the functions.
var stubs = []stub{
	{
		name:   "stubs_amd64.go",
		pragma: "//go:noescape\n",
		body:   "\n",
	},
	{
		name:       "stubs_other.go",
		constraint: "//go:build !amd64\n\n",
		head:       "// noAssembly is the panic of functions that this platform never calls.\nconst noAssembly = \"kernels: no assembly on this platform\"\n",
		body:       " { panic(noAssembly) }\n",
	},
}

// stub is a Go file that declares the functions.
type stub struct {
	name       string
	constraint string // build constraint, above the package clause
	head       string // declarations before the functions
	pragma     string // compiler directive above each function
	body       string // text after each signature
}

// save writes the declarations of functions to a folder.
func (s stub) save(dir string, functions []signature) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by gen. DO NOT EDIT.\n\n%spackage kernels\n\n%s", s.constraint, s.head)
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
