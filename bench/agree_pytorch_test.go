//go:build pytorch

package main

import (
	"testing"

	"sml/internal/expect"
)

// PyTorch does the same work as our engine in the code that is timed. The test needs
// a Python with torch, and has a build tag of its own for that.
func TestSameWorkInPyTorch(t *testing.T) {
	torch := expect.Must(startPyTorch("torch_steps.py", 1))
	defer torch.close()
	for _, b := range []benchmark{{"sml-step", 50, 13, 100}, {"sml-step", 64, 90, 10}} {
		if err := checkSameWork(torch, b); err != nil {
			t.Errorf("%v: %v", b, err)
		}
	}
}
