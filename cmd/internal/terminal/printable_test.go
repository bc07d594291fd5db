package terminal

import "testing"

func TestEscapeControls(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n":       "plain\ttext\n",
		"μ = 3 σ²":            "μ = 3 σ²",
		"\x1b[31mred\r\a\x7f": `\x1b[31mred\x0d\x07\x7f`,
		"c1 \u009b31m":        `c1 \u009b31m`,
		"bytes \xff\x9b":      `bytes \xff\x9b`,
		"�":                   "�", // the replacement character itself is text
		"half \xce":           `half \xce`,
	} {
		if got := EscapeControls(text); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}
