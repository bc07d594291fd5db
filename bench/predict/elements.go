package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// elementLoops are loops over numbers, each the first after the line that the marker matches.
var elementLoops = []struct {
	name   string
	file   string
	marker *regexp.Regexp
	stores int // stored vectors for each vector of numbers
}{
	{"exp", "elementwise", regexp.MustCompile(`^exp\d+:$`), 1},
	{"log", "elementwise", regexp.MustCompile(`^log\d+:$`), 1},
	{"tanh", "elementwise", regexp.MustCompile(`^tanh\d+:$`), 1},
	{"Adam", "adam", regexp.MustCompile(`^plain\d+:$`), 3},
	{"dropout masks (Philox)", "masks", regexp.MustCompile(`^TEXT ·masksNEON`), 1},
}

// storedVector matches the stores of one vector, and storedPair of two.
var (
	storedVector = regexp.MustCompile(`\tstr\tq`)
	storedPair   = regexp.MustCompile(`\tstp\tq`)
)

// writeElementLoops writes the table of loops over numbers: cycles for each number, and the share of the
// throughput that the loop would have if no instruction waited for another.
func writeElementLoops(out io.Writer, l llvm, cores []core, folder string) error {
	fmt.Fprint(out, "\n| loop | instructions per number |")
	for _, c := range cores {
		fmt.Fprintf(out, " %s |", c.name)
	}
	fmt.Fprintf(out, "\n| --- | ---:|%s\n", strings.Repeat(" ---:|", len(cores)))
	for _, e := range elementLoops {
		a, err := readAssembly(folder, e.file)
		if err != nil {
			return err
		}
		loop, err := a.firstLoop(e.marker)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		text, err := l.disassemble(loop)
		if err != nil {
			return err
		}
		vectors := len(storedVector.FindAllString(text, -1)) + 2*len(storedPair.FindAllString(text, -1))
		numbers := float64(4 * vectors / e.stores)
		fmt.Fprintf(out, "| %s | %.1f |", e.name, float64(len(loop))/numbers)
		for _, c := range cores {
			p, err := l.predict(c, text)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, " %.2f (%.0f %%) |", p.cycles/numbers, 100*p.bound/p.cycles)
		}
		fmt.Fprintln(out)
	}
	return nil
}
