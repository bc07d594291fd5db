package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// errNoLLVM is the error of findLLVM.
var errNoLLVM = errors.New("SKIPPED: there is no llvm-mca: install llvm, version 17 or later for models of Neoverse cores")

// core is a CPU core with a predicted throughput.
type core struct {
	name string // title of its column
	cpu  string // LLVM's name
	unit string // beginning of the names of execution units in LLVM's model of this core

	// lacksElementForm says that the model treats a multiply-add by an element like an addition. The form
	// with two vectors is then predicted in its place, which has the same operands.
	lacksElementForm bool

	peak float64 // multiply-adds of four float32 per cycle; set by usableCores
}

// allCores are the cores in the order of the tables. LLVM has one model for all cores of Apple: the core of 2013.
var allCores = []core{
	{name: "Neoverse N1", cpu: "neoverse-n1", unit: "N1Unit"},
	{name: "Neoverse V1", cpu: "neoverse-v1", unit: "V1Unit"},
	{name: "Neoverse V2", cpu: "neoverse-v2", unit: "V2Unit"},
	{name: "AmpereOne", cpu: "ampere1", unit: "Ampere1Unit"},
	{name: "Apple Cyclone", cpu: "apple-m1", unit: "CyUnit", lacksElementForm: true},
}

// llvm holds the names of LLVM's programs.
type llvm struct {
	mc, mca string
	version string // such as "Debian LLVM version 22.1.8"
}

// findLLVM returns the newest installed LLVM. It returns errNoLLVM if none is installed.
func findLLVM() (llvm, error) {
	const newest, oldest = 40, 14 // versions
	suffixes := []string{}
	for v := newest; v >= oldest; v-- {
		suffixes = append(suffixes, fmt.Sprintf("-%d", v))
	}
	for _, suffix := range append(suffixes, "") {
		l := llvm{mc: "llvm-mc" + suffix, mca: "llvm-mca" + suffix}
		out, err := exec.Command(l.mca, "--version").Output()
		if err != nil {
			continue
		}
		if _, err := exec.LookPath(l.mc); err != nil {
			continue
		}
		first, _, _ := strings.Cut(string(out), "\n")
		l.version = strings.TrimSpace(first)
		return l, nil
	}
	return llvm{}, errNoLLVM
}

// usableCores returns the cores that LLVM has a model of, with their peaks, and the missing cores.
func (l llvm) usableCores() (usable, missing []core, err error) {
	var independent strings.Builder // multiply-adds that do not wait for each other
	for r := range 24 {
		fmt.Fprintf(&independent, "fmla v%d.4s, v30.4s, v31.4s\n", r)
	}
	for _, c := range allCores {
		p, err := l.predict(c, independent.String())
		if err != nil {
			return nil, nil, err
		}
		if !p.hasUnit(c.unit) {
			missing = append(missing, c)
			continue
		}
		c.peak = 24 / p.cycles
		usable = append(usable, c)
	}
	return usable, missing, nil
}

// prediction is llvm-mca's prediction of a loop.
type prediction struct {
	cycles float64 // per turn
	bound  float64 // cycles per turn if no instruction waited for another
	units  []string
}

// hasUnit reports whether the model has a unit whose name begins with prefix.
func (p prediction) hasUnit(prefix string) bool {
	for _, u := range p.units {
		if strings.HasPrefix(u, prefix) {
			return true
		}
	}
	return false
}

var (
	totalCycles = regexp.MustCompile(`(?m)^Total Cycles: +(\d+)`)
	throughput  = regexp.MustCompile(`(?m)^Block RThroughput: +([\d.]+)`)
	unitNames   = regexp.MustCompile(`(?m)^\[[\d.]+\] +- (\w+)`)
	elementForm = regexp.MustCompile(`\.s\[\d\]`)
)

// predict returns the prediction for a loop in LLVM's assembly.
func (l llvm) predict(c core, assembly string) (prediction, error) {
	const turns = 300 // filling the pipeline takes less time than one turn
	if c.lacksElementForm {
		assembly = elementForm.ReplaceAllString(assembly, ".4s")
	}
	mca := exec.Command(l.mca, "-mtriple=aarch64", "-mcpu="+c.cpu, fmt.Sprintf("-iterations=%d", turns))
	mca.Stdin = strings.NewReader(assembly)
	out, err := mca.Output()
	if err != nil {
		return prediction{}, fmt.Errorf("%s: %w", l.mca, err)
	}
	cycles, err := number(totalCycles, out)
	if err != nil {
		return prediction{}, err
	}
	bound, err := number(throughput, out)
	if err != nil {
		return prediction{}, err
	}
	p := prediction{cycles: cycles / turns, bound: bound}
	for _, m := range unitNames.FindAllSubmatch(out, -1) {
		p.units = append(p.units, string(m[1]))
	}
	return p, nil
}

// number returns the number that an expression finds in llvm-mca's output.
func number(e *regexp.Regexp, output []byte) (float64, error) {
	m := e.FindSubmatch(output)
	if m == nil {
		return 0, fmt.Errorf("llvm-mca: the output has no match of %v", e)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

// disassemble returns the assembly of instructions in LLVM's syntax.
func (l llvm) disassemble(words []uint32) (string, error) {
	var bytes strings.Builder
	for _, w := range words {
		fmt.Fprintf(&bytes, "%#x %#x %#x %#x\n", w&255, w>>8&255, w>>16&255, w>>24)
	}
	mc := exec.Command(l.mc, "-disassemble", "-triple=aarch64")
	mc.Stdin = strings.NewReader(bytes.String())
	out, err := mc.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", l.mc, err)
	}
	return strings.ReplaceAll(string(out), "\t.text\n", ""), nil
}
