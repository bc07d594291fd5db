//go:build pytorch

package main

import "testing"

// The steps that are timed do the same work in PyTorch, by the code that is timed: it needs
// a Python with torch, and has a tag of its own for that.
func TestSameWorkInPyTorch(t *testing.T) {
	torch, err := startPyTorch("torch_steps.py", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer torch.close()
	for _, b := range []benchmark{{"sml-step", 50, 13, 100}, {"sml-step", 64, 90, 10}} {
		if err := agree(torch, b); err != nil {
			t.Errorf("%v: %v", b, err)
		}
	}
}
