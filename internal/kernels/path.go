package kernels

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// isa is an implementation of the kernels, for an instruction set. A larger one is faster.
type isa uint8

const (
	portableISA isa = iota // portable Go
	avx2
	avx512
)

// isaNames are the values of SML_KERNELS, Use and Path, by isa.
var isaNames = [...]string{"portable", "avx2", "avx512"}

// The implementation in use. It is the fastest one until the environment variable or Use chooses.
var (
	supportedISAs  = detectISAs()
	currentISA     = supportedISAs[len(supportedISAs)-1]
	environmentErr = useFromEnvironment(os.Getenv("SML_KERNELS"))
)

// useFromEnvironment switches to the implementation that the value of SML_KERNELS names, if it is
// not empty.
func useFromEnvironment(value string) error {
	if value == "" {
		return nil
	}
	if err := Use(value); err != nil {
		return fmt.Errorf("SML_KERNELS: %w", err)
	}
	return nil
}

// Path returns the name of the implementation in use: "avx512", "avx2" or "portable".
func Path() string { return isaNames[currentISA] }

// Paths returns the names of the implementations that this CPU can run, slowest first.
func Paths() []string {
	names := make([]string, len(supportedISAs))
	for i, s := range supportedISAs {
		names[i] = isaNames[s]
	}
	return names
}

// Use switches all kernels to the named implementation. It returns an error, and changes nothing,
// if the name is unknown or this CPU cannot run the implementation. Use must not be called while
// a kernel runs.
func Use(path string) error {
	for _, s := range supportedISAs {
		if isaNames[s] == path {
			currentISA = s
			return nil
		}
	}
	available := strings.Join(Paths(), ", ")
	if slices.Contains(isaNames[:], path) {
		return fmt.Errorf("this CPU cannot run the kernels %q; it can run %s", path, available)
	}
	return fmt.Errorf("unknown kernels %q; this CPU can run %s", path, available)
}

// Err returns an error if the environment variable SML_KERNELS named an unknown implementation at
// start, or one that this CPU cannot run. The fastest implementation is in use then.
func Err() error { return environmentErr }

// check panics with a message about the named kernel unless ok.
func check(ok bool, kernel, message string) {
	if !ok {
		panic("kernels: " + kernel + ": " + message)
	}
}
