package cmd

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// What is done is told with what is left of it, where that is known, and else with how
// fast it is.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, "reading", false)
	p.at(1, 4, "")
	p.count(1, "rows")
	if out.Len() > 0 {
		t.Errorf("%q at once", out.String())
	}
	ago := time.Now().Add(-10 * time.Second)
	p.started, p.said = ago, ago
	p.at(1, 4, "")
	p.at(2, 4, "") // too soon after the first
	p.said = ago
	p.count(2000, "rows")
	if lines := strings.Split(out.String(), "\n"); len(lines) != 3 || lines[0] != "reading: 25%, 30s left" || lines[1] != "reading: 2000 rows, 200 a second" {
		t.Errorf("got %q", lines)
	}
	p = newProgress(&out, "reading", true)
	p.started, p.said = ago, ago
	out.Reset()
	p.count(2000, "rows")
	if out.Len() > 0 {
		t.Errorf("%q though it is to be quiet", out.String())
	}
}
