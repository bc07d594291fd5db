package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A progress prints the time left if the total is known, and otherwise the speed.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, "reading", false)
	p.At(1, 4, "")
	p.Count(1, "rows")
	if out.Len() > 0 {
		t.Errorf("%q at once", out.String())
	}
	ago := time.Now().Add(-10 * time.Second)
	p.started, p.printed = ago, ago
	p.At(1, 4, "")
	p.At(2, 4, "") // too soon after the first
	p.printed = ago
	p.Count(2000, "rows")
	if lines := strings.Split(out.String(), "\n"); len(lines) != 3 || lines[0] != "reading: 25%, 30s left" || lines[1] != "reading: 2000 rows, 200 a second" {
		t.Errorf("got %q", lines)
	}
	p = NewProgress(&out, "reading", true)
	p.started, p.printed = ago, ago
	out.Reset()
	p.Count(2000, "rows")
	if out.Len() > 0 {
		t.Errorf("%q though it is to be quiet", out.String())
	}
}
