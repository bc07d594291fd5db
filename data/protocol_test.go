package data

import (
	"strings"
	"testing"
)

func TestParseMode(t *testing.T) {
	for _, want := range []Protocol{Paper, Sound} {
		if got, err := ParseProtocol(string(want)); got != want || err != nil {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	for _, name := range []string{"", "Paper", "best"} {
		if _, err := ParseProtocol(name); err == nil || !strings.Contains(err.Error(), "want paper or sound") {
			t.Errorf("%q: got %v", name, err)
		}
	}
}
