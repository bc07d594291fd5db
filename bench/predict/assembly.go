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
	words []word   // instructions, in the order of the lines
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
	slices.SortStableFunc(a.words, func(x, y word) int { return x.line - y.line })
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

// firstLoop returns the instructions of the first innermost loop after the line that a marker matches.
func (a *assembly) firstLoop(marker *regexp.Regexp) ([]uint32, error) {
	from := slices.IndexFunc(a.lines, marker.MatchString)
	if from < 0 {
		return nil, fmt.Errorf("no line matches %v", marker)
	}
	labels := map[string]int{}
	for i, line := range a.lines[from:] {
		if m := labelLine.FindStringSubmatch(line); m != nil {
			labels[m[1]] = from + i
		}
		m := branchLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		begin, isBack := labels[m[1]] // the first jump back ends an innermost loop
		if isBack {
			return a.between(begin, from+i), nil
		}
	}
	return nil, fmt.Errorf("no loop after the line that matches %v", marker)
}

// between returns the instructions of lines first to last.
func (a *assembly) between(first, last int) []uint32 {
	var codes []uint32
	for _, w := range a.words {
		if first <= w.line && w.line <= last {
			codes = append(codes, w.code)
		}
	}
	return codes
}
