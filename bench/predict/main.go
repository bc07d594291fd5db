// Program predict prints the throughput that LLVM's llvm-mca predicts for the inner loops of the kernels for
// arm64, as tables for docs/explanation/performance.md:
//
//	go run ./bench/predict
//
// in the root of the repository. It assembles the generated files with Go's assembler and disassembles the
// loops with llvm-mc, so that it needs no arm64 machine. Without LLVM it says so and does nothing. Start
// reading at predict.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// kernelsFolder has the generated assembly, relative to the root of the repository.
const kernelsFolder = "internal/kernels"

func main() {
	if err := predict(os.Stdout, kernelsFolder); err != nil {
		fmt.Fprintln(os.Stderr, "predict:", err)
		if !errors.Is(err, errNoLLVM) {
			os.Exit(1)
		}
	}
}

// predict writes all tables for the assembly in a folder. It returns errNoLLVM if there is no llvm-mca.
func predict(out io.Writer, folder string) error {
	llvm, err := findLLVM()
	if err != nil {
		return err
	}
	cores, missing, err := llvm.usableCores()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s.\n", llvm.version)
	for _, c := range missing {
		fmt.Fprintf(out, "It has no model of %s (%s).\n", c.name, c.cpu)
	}
	products, err := predictProducts(llvm, cores, folder)
	if err != nil {
		return err
	}
	writeProducts(out, cores, products)
	if err := writeElementLoops(out, llvm, cores, folder); err != nil {
		return err
	}
	return writeSizes(out, folder)
}
