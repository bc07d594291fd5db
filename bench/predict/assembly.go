package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// assembly is a generated file and its instructions.
type assembly struct {
	lines []string // of the text; the first line has index 0
	words []word   // instructions
}

// word is an instruction as it is encoded.
type word struct {
	line int // index of its line
	code uint32
}

// objdumpLine is a line of "go tool objdump": the line in the source, the address and the instruction.
var objdumpLine = regexp.MustCompile(`(?m)^ +\S+\.s:(\d+)\t0x[0-9a-f]+\t+([0-9a-f]{8})\t`)

// readAssembly assembles the file name_arm64.s in a folder.
func readAssembly(folder, name string) (*assembly, error) {
	path := filepath.Join(folder, name+"_arm64.s")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	temporary, err := os.MkdirTemp("", "sml-predict-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	root, err := goTool("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	object := filepath.Join(temporary, "object")
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	if _, err := goTool("tool", "asm", "-I", include, "-p", "kernels", "-o", object, path); err != nil {
		return nil, err
	}
	dump, err := goTool("tool", "objdump", object)
	if err != nil {
		return nil, err
	}
	a := &assembly{lines: strings.Split(string(text), "\n")}
	for _, m := range objdumpLine.FindAllSubmatch(dump, -1) {
		line, _ := strconv.Atoi(string(m[1])) // digits alone
		code, _ := strconv.ParseUint(string(m[2]), 16, 32)
		a.words = append(a.words, word{line - 1, uint32(code)})
	}
	return a, nil
}

// goTool runs the go command for arm64 and returns its output.
func goTool(args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
	var messages bytes.Buffer
	c.Stderr = &messages
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, messages.Bytes())
	}
	return out, nil
}

var (
	labelLine  = regexp.MustCompile(`^(\w+):$`)
	branchLine = regexp.MustCompile(`^\t(?:B|CB|TB)\w* (?:.*, )?(\w+)$`)
)

// firstLoop returns the instructions of one turn of the first innermost loop after the line that matches the
// marker. It returns an error if there is no such line or no loop after it.
func (a *assembly) firstLoop(marker *regexp.Regexp) ([]uint32, error) {
	from := slices.IndexFunc(a.lines, marker.MatchString)
	if from < 0 {
		return nil, fmt.Errorf("no line matches %v", marker)
	}
	labels := map[string]int{}
	for i := from; i < len(a.lines); i++ {
		if m := labelLine.FindStringSubmatch(a.lines[i]); m != nil {
			labels[m[1]] = i
		}
		m := branchLine.FindStringSubmatch(a.lines[i])
		if m == nil {
			continue
		}
		begin, isBack := labels[m[1]] // the first jump back ends an innermost loop
		if isBack {
			return a.turn(begin, i), nil
		}
	}
	return nil, fmt.Errorf("no loop after the line that matches %v", marker)
}

// turn returns the instructions of one turn of a loop from line first to line last. The turn follows unconditional
// jumps and takes no conditional jump except the last.
func (a *assembly) turn(first, last int) []uint32 {
	codes := map[int]uint32{}
	for _, w := range a.words {
		codes[w.line] = w.code
	}
	var turn []uint32
	for i := first; i <= last; i++ {
		if code, isInstruction := codes[i]; isInstruction {
			turn = append(turn, code)
		}
		target, isJump := strings.CutPrefix(a.lines[i], "\tB ")
		if isJump && i < last {
			i += slices.Index(a.lines[i:], target+":")
		}
	}
	return turn
}
