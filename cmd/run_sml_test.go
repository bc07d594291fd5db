package cmd

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// runSML runs the program in this process and returns its output. The test fails if the program
// does.
func runSML(t testing.TB, in io.Reader, args ...string) []byte {
	t.Helper()
	var out, errOut bytes.Buffer
	if code := Run(context.Background(), append([]string{"sml"}, args...), in, &out, &errOut); code != exitDone {
		t.Fatalf("sml %s ends with %d: %s", strings.Join(args, " "), code, errOut.String())
	}
	return out.Bytes()
}
