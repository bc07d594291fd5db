package cmd

import (
	"strings"
	"testing"
)

// What is listed of methods, networks and measures begins in one column, however long
// names are.
func TestListingsAreAligned(t *testing.T) {
	for _, listing := range []string{"methods", "networks", "measures"} {
		out := string(runSML(t, nil, listing))
		column := -1
		for line := range strings.Lines(out) {
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
