package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// llvmEncodings are instructions with their encodings by LLVM 14's assembler:
//
//	llvm-mc -triple=aarch64 -show-encoding
//
// whose output has the bytes in the order of memory.
const llvmEncodings = `
0x4e3fd441 fadd v1.4s, v2.4s, v31.4s
0x4ebfd441 fsub v1.4s, v2.4s, v31.4s
0x6e3fdc41 fmul v1.4s, v2.4s, v31.4s
0x6e3ffc41 fdiv v1.4s, v2.4s, v31.4s
0x6ea1f841 fsqrt v1.4s, v2.4s
0x4ea0f841 fabs v1.4s, v2.4s
0x6ea0f841 fneg v1.4s, v2.4s
0x6ebfe441 fcmgt v1.4s, v2.4s, v31.4s
0x6e3fe441 fcmge v1.4s, v2.4s, v31.4s
0x4e3fe441 fcmeq v1.4s, v2.4s, v31.4s
0x4e21d841 scvtf v1.4s, v2.4s
0x4ebf6c41 smin v1.4s, v2.4s, v31.4s
0x4ea0b841 abs v1.4s, v2.4s
0x4ebf3441 cmgt v1.4s, v2.4s, v31.4s
0x6ebf3441 cmhi v1.4s, v2.4s, v31.4s
0x6e7f3c41 cmhs v1.8h, v2.8h, v31.8h
0x4ebf9c41 mul v1.4s, v2.4s, v31.4s
0x2ebfc041 umull v1.2d, v2.2s, v31.2s
0x6ebfc041 umull2 v1.2d, v2.4s, v31.4s
0x4e7f1c41 bic v1.16b, v2.16b, v31.16b
0x4e7fd441 fadd v1.2d, v2.2d, v31.2d
0x4effd441 fsub v1.2d, v2.2d, v31.2d
0x6e7fdc41 fmul v1.2d, v2.2d, v31.2d
0x6e7ffc41 fdiv v1.2d, v2.2d, v31.2d
0x6effe441 fcmgt v1.2d, v2.2d, v31.2d
0x6e7fe441 fcmge v1.2d, v2.2d, v31.2d
0x4e7fe441 fcmeq v1.2d, v2.2d, v31.2d
0x0e617841 fcvtl v1.2d, v2.2s
0x4e617841 fcvtl2 v1.2d, v2.4s
0x0e616841 fcvtn v1.2s, v2.2d
0x4e616841 fcvtn2 v1.4s, v2.2d
0x4f9f1041 fmla v1.4s, v2.4s, v31.s[0]
0x4fbf1041 fmla v1.4s, v2.4s, v31.s[1]
0x4f9f1841 fmla v1.4s, v2.4s, v31.s[2]
0x4fbf1841 fmla v1.4s, v2.4s, v31.s[3]
0x4f3f0441 sshr v1.4s, v2.4s, #1
0x4f290441 sshr v1.4s, v2.4s, #23
0xbc7e6841 ldr s1, [x2, x30]
0xfc7e6841 ldr d1, [x2, x30]
0xfc3e6841 str d1, [x2, x30]
0x3cfe6841 ldr q1, [x2, x30]
0x3cbe6841 str q1, [x2, x30]
`

// TestEncodings compares each encoded instruction, also of the generated files, with LLVM's encoding for the same
// registers. The number of an instruction's first register stands in bits 0 to 4 of its word, of the second in bits
// 5 to 9 and of the third in bits 16 to 20 (Arm Architecture Reference Manual, section C4.1).
func TestEncodings(t *testing.T) {
	want := make(map[string]uint32) // words for the registers 0, by the text without the numbers of registers
	for _, m := range regexp.MustCompile(`(?m)^0x(\w{8}) (.*)$`).FindAllStringSubmatch(llvmEncodings, -1) {
		form, registers := splitRegisters(t, m[2])
		want[form] = parseWord(t, m[1]) - registers
	}
	encoded := encodeAll(t)
	files, err := filepath.Glob("../*_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		encoded += string(text)
	}
	seen := make(map[string]bool)
	for _, m := range regexp.MustCompile(`WORD \$0x(\w{8}) // (.*)`).FindAllStringSubmatch(encoded, -1) {
		form, registers := splitRegisters(t, m[2])
		seen[form] = true
		if got := parseWord(t, m[1]); got != want[form]+registers {
			t.Errorf("%s: encoded as %#08x, LLVM has %#08x", m[2], got, want[form]+registers)
		}
	}
	for form := range want {
		if !seen[form] {
			t.Errorf("%s is not encoded", form)
		}
	}
}

// encodeAll returns the assembly of every encoded vector instruction.
func encodeAll(t *testing.T) string {
	a := newAssembler("test", t.TempDir())
	a.function("f", "n int", "")
	for name := range encodings {
		operands := []vec{2, 31}
		if isUnary(name) {
			operands = operands[:1]
		}
		a.vector(name, 1, operands...)
	}
	for lane := range 4 {
		a.fmlaLane(1, 2, 31, lane)
	}
	a.finish()
	return a.finished
}

// splitRegisters returns an instruction without the numbers of its registers, and these numbers in their places in the
// word.
func splitRegisters(t *testing.T, instruction string) (form string, registers uint32) {
	t.Helper()
	places := []int{0, 5, 16} // first bits
	register := regexp.MustCompile(`\b([vqdsx])(\d+)`)
	for i, m := range register.FindAllStringSubmatch(instruction, -1) {
		number, err := strconv.ParseUint(m[2], 10, 5)
		if err != nil {
			t.Fatal(err)
		}
		registers |= uint32(number) << places[i]
	}
	return register.ReplaceAllString(instruction, "$1"), registers
}

// parseWord returns a word from its hexadecimal digits.
func parseWord(t *testing.T, digits string) uint32 {
	t.Helper()
	word, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(word)
}

// isUnary reports whether an encoded instruction has one operand.
func isUnary(name string) bool {
	return regexp.MustCompile(`^(fsqrt|fabs|fneg|abs|scvtf|fcvt)`).MatchString(name)
}

// TestArgumentOffsets checks the places of parameters by the rules of Go's ABI0: each is aligned to its size,
// and the frame to 8 bytes (https://go.dev/doc/asm).
func TestArgumentOffsets(t *testing.T) {
	got := argumentOffsets("theta, grad *float32, n int, beta1, rest1, beta2 float32, key uint64")
	for name, want := range map[string]int{"theta": 0, "grad": 8, "n": 16, "beta1": 24, "rest1": 28, "beta2": 32, "key": 40, "": 48} {
		if got[name].offset != want {
			t.Errorf("%q at %d, want %d", name, got[name].offset, want)
		}
	}
}

// TestAllocate checks that allocate leaves out the copy of a register without later uses, loads constants before each
// use if they do not fit, and returns an error for too many registers.
func TestAllocate(t *testing.T) {
	a := newAssembler("test", t.TempDir())
	a.function("f", "n int", "")
	sum := a.newVector()
	a.loadVector(armMemory{0, 0}, sum)
	again := a.newVector()
	a.vector("mov", again, sum)
	a.vector("fmla.4s", again, again, again)
	for i := range 40 {
		a.vector("fadd.4s", again, again, a.constantVector(vectorConstant{uint64(i), 0}))
	}
	a.storeVector(again, armMemory{0, 0})
	a.finish()
	if strings.Contains(a.finished, "VMOV") || strings.Count(a.finished, "(R26)") != 40 {
		t.Errorf("want no copy and 40 loads:\n%s", a.finished)
	}
	var kept []vec
	a.function("g", "n int", "")
	for range 33 {
		v := a.newVector()
		a.loadVector(armMemory{0, 0}, v)
		kept = append(kept, v)
	}
	for _, v := range kept {
		a.storeVector(v, armMemory{0, 0})
	}
	if _, err := allocate(a.code); err == nil {
		t.Error("33 registers are in use, and there is no error")
	}
}

// TestAllocateOverLoops checks that a register read in a loop keeps its number up to the jump back, although its last
// read is earlier in the text.
func TestAllocateOverLoops(t *testing.T) {
	a := newAssembler("test", t.TempDir())
	a.function("f", "n int", "")
	factor := a.newVector()
	a.loadVector(armMemory{0, 0}, factor)
	again := a.label("again")
	a.place(again)
	first := a.newVector()
	a.vector("fmul.4s", first, factor, factor)
	second := a.newVector()
	a.vector("fmul.4s", second, first, first)
	a.storeVector(second, armMemory{1, 0})
	a.branch("B", again)
	a.finish()
	if want := "fmul v1.4s, v0.4s, v0.4s"; !strings.Contains(a.finished, want) {
		t.Errorf("%q is missing: the factor is overwritten in the loop:\n%s", want, a.finished)
	}
}
