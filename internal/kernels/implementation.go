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
	neon                   // arm64
	avx2
	avx512
)

// isaNames are the values of SML_KERNELS, UseImplementation and Implementation, by isa.
var isaNames = [...]string{"portable", "neon", "avx2", "avx512"}

// The implementation in use. It is the fastest one until the environment variable or UseImplementation chooses.
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
	if err := UseImplementation(value); err != nil {
		return fmt.Errorf("SML_KERNELS: %w", err)
	}
	return nil
}

// Implementation returns the name of the implementation in use: "avx512", "avx2", "neon" or "portable".
func Implementation() string { return isaNames[currentISA] }

// Implementations returns the names of the implementations that this CPU can run, slowest first.
func Implementations() []string {
	names := make([]string, len(supportedISAs))
	for i, s := range supportedISAs {
		names[i] = isaNames[s]
	}
	return names
}

// UseImplementation switches all kernels to the named implementation. It returns an error, and
// changes nothing, if the name is unknown or this CPU cannot run the implementation. It must not be
// called while a kernel runs.
func UseImplementation(name string) error {
	for _, s := range supportedISAs {
		if isaNames[s] == name {
			currentISA = s
			return nil
		}
	}
	available := strings.Join(Implementations(), ", ")
	if slices.Contains(isaNames[:], name) {
		return fmt.Errorf("this CPU cannot run the kernels %q; it can run %s", name, available)
	}
	return fmt.Errorf("unknown kernels %q; this CPU can run %s", name, available)
}

// EnvironmentErr returns an error if the environment variable SML_KERNELS named an unknown
// implementation at start, or one that this CPU cannot run. The fastest implementation is in use then.
func EnvironmentErr() error { return environmentErr }

// noAssembly is the panic of functions that this platform never calls.
const noAssembly = "kernels: no assembly on this platform"

// check panics with a message about the named kernel unless ok.
func check(ok bool, kernel, message string) {
	if !ok {
		panic("kernels: " + kernel + ": " + message)
	}
}
