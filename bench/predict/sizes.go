package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// writeSizes writes the table of the generated files: lines, and bytes of machine code.
func writeSizes(out io.Writer, folder string) error {
	const suffix = "_arm64.s"
	files, err := filepath.Glob(filepath.Join(folder, "*"+suffix))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\n| file | lines | KiB of code |\n| --- | ---:| ---:|")
	lines, instructions := 0, 0
	for _, file := range files {
		a, err := readAssembly(folder, strings.TrimSuffix(filepath.Base(file), suffix))
		if err != nil {
			return err
		}
		lines += len(a.lines) - 1 // the last line is empty
		instructions += len(a.words)
		fmt.Fprintf(out, "| %s | %d | %.1f |\n", filepath.Base(file), len(a.lines)-1, kibibytes(len(a.words)))
	}
	fmt.Fprintf(out, "| all | %d | %.1f |\n", lines, kibibytes(instructions))
	return nil
}

// kibibytes returns the size of a number of instructions.
func kibibytes(instructions int) float64 {
	const instructionBytes = 4
	return instructionBytes * float64(instructions) / 1024
}
