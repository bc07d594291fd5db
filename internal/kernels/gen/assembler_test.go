package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// llvmEncodings are instructions with their encodings by LLVM 14's assembler:
//
//	llvm-mc -triple=aarch64 -show-encoding
//
// whose output has the bytes in the order of memory. Registers d, n and m are 1, 2 and 31.
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
`

// TestEncodings compares the word of each encoded instruction with LLVM's encoding.
func TestEncodings(t *testing.T) {
	want := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(llvmEncodings)) {
		word, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		want[text] = word
	}
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
	a.shift("sshr", "4s", 1, 2, 1)
	a.shift("sshr", "4s", 1, 2, 23)
	a.finish()
	checked := 0
	for line := range strings.Lines(a.finished) {
		word, text, isEncoded := strings.Cut(strings.TrimSpace(line), " // ")
		if !strings.HasPrefix(word, "WORD $") || !isEncoded {
			continue
		}
		checked++
		if got := strings.TrimPrefix(word, "WORD $"); got != want[text] {
			t.Errorf("%s: encoded as %s, LLVM has %q", text, got, want[text])
		}
	}
	if checked != len(want) || checked < len(encodings) {
		t.Errorf("%d instructions checked, the table has %d", checked, len(want))
	}
}

// isUnary reports whether an encoded instruction has one operand.
func isUnary(name string) bool {
	return regexp.MustCompile(`^(fsqrt|fabs|fneg|abs|scvtf|fcvt)`).MatchString(name)
}

// TestGeneratedEncodings disassembles every word of the generated files, where LLVM is installed, and compares
// it with the instruction in its comment.
func TestGeneratedEncodings(t *testing.T) {
	llvm, err := exec.LookPath("llvm-mc")
	if err != nil {
		t.Skip("SKIPPED: there is no llvm-mc: install llvm")
	}
	files, err := filepath.Glob("../*_arm64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	words := map[string]string{} // comment of each word
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`WORD \$0x([0-9a-f]{8}) // (.*)`).FindAllStringSubmatch(string(text), -1) {
			words[m[1]] = m[2]
		}
	}
	var input, want strings.Builder
	for word, comment := range words {
		input.WriteString("0x" + word[6:8] + " 0x" + word[4:6] + " 0x" + word[2:4] + " 0x" + word[0:2] + "\n")
		want.WriteString(comment + "\n")
	}
	c := exec.Command(llvm, "-triple=aarch64", "-disassemble")
	c.Stdin = strings.NewReader(input.String())
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(strings.ReplaceAll(string(out), "\t.text\n", ""), "\t", " ")
	gotLines := strings.Split(strings.TrimSpace(got), "\n")
	wantLines := strings.Split(strings.TrimSpace(want.String()), "\n")
	if len(gotLines) != len(wantLines) {
		t.Fatalf("%d instructions, want %d", len(gotLines), len(wantLines))
	}
	for i, line := range gotLines {
		if strings.TrimSpace(line) != wantLines[i] {
			t.Errorf("the word of %q is %q", wantLines[i], line)
		}
	}
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
