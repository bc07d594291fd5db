package kernels

import (
	"fmt"
	"os"
	"strings"
)

// isa is an implementation of the kernels. A larger one is faster.
type isa uint8

const (
	inGo isa = iota // the portable path
	avx2
	avx512
)

// names are the words of SML_KERNELS, Use and Path, by isa.
var names = [...]string{"portable", "avx2", "avx512"}

var (
	supported = supportedPaths()
	active    = supported[len(supported)-1]
	startErr  = start(os.Getenv("SML_KERNELS"))
)

// start applies the wish of the environment, an empty one being none.
func start(wish string) error {
	if wish == "" {
		return nil
	}
	if err := Use(wish); err != nil {
		return fmt.Errorf("SML_KERNELS: %w", err)
	}
	return nil
}

// Path names the implementation in use: "avx512", "avx2" or "portable".
func Path() string { return names[active] }

// Paths lists the implementations that this CPU can run, slowest first.
func Paths() []string {
	list := make([]string, len(supported))
	for i, p := range supported {
		list[i] = names[p]
	}
	return list
}

// Use switches every kernel to the named implementation. The error for an
// unknown name, or for one that this CPU cannot run, says which it can; the
// implementation in use then stays. Use must not run beside a kernel.
func Use(path string) error {
	for _, p := range supported {
		if names[p] == path {
			active = p
			return nil
		}
	}
	have := strings.Join(Paths(), ", ")
	for _, name := range names {
		if name == path {
			return fmt.Errorf("kernels %q need instructions that this CPU lacks; it has %s", path, have)
		}
	}
	return fmt.Errorf("unknown kernels %q; this CPU has %s", path, have)
}

// Err says what was wrong with the environment variable SML_KERNELS at
// start, or nil. The best implementation was chosen then.
func Err() error { return startErr }

// check panics with a message about the named kernel unless ok.
func check(ok bool, kernel, want string) {
	if !ok {
		panic("kernels: " + kernel + ": " + want)
	}
}
