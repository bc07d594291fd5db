package cmd

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// What is listed of methods, networks and measures begins in one column, however long
// names are.
func TestListingsAreAligned(t *testing.T) {
	for _, listing := range []string{"methods", "networks", "measures"} {
		var out, errOut bytes.Buffer
		if code := Run(context.Background(), []string{"sml", listing}, nil, &out, &errOut); code != 0 {
			t.Fatalf("%s: %s", listing, errOut.String())
		}
		column := -1
		for line := range strings.Lines(out.String()) {
			name, rest, _ := strings.Cut(line, " ")
			at := len(name) + 1 + len(rest) - len(strings.TrimLeft(rest, " "))
			if strings.TrimSpace(line) == "" {
				continue
			}
			if column < 0 {
				column = at
			}
			if at != column || line[at-1] != ' ' {
				t.Errorf("%s: column %d, not %d: %s", listing, at, column, line)
			}
		}
	}
}
