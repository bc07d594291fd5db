package chart

import (
	"fmt"
	"strings"
	"testing"
)

func TestPieces(t *testing.T) {
	cases := []struct{ text, want string }{ // by hand; ↓ begins a subscript
		{"plain", "[plain]"},
		{"σ_drop", "[σ ↓drop ]"},
		{"σ_drop = 2/π", "[σ ↓drop  = 2/π]"},
		{"a_b c_d", "[a ↓b  c ↓d ]"},
		{"temp_max of x_1", "[temp_max of x ↓1 ]"},
		{"_a_b_", "[_a_b_]"},
		{"a__b", "[a ↓ _b]"},
	}
	for _, c := range cases {
		var got []string
		for _, p := range splitSubscripts(c.text) {
			if p.isSubscript {
				p.text = "↓" + p.text
			}
			got = append(got, p.text)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%q: %v; want %v", c.text, got, c.want)
		}
	}
}

func TestSubscriptsAreSmallerAndLower(t *testing.T) {
	style := textStyle(10)
	plain, below := style.Width("σdrop"), style.Width("σ_drop")
	if below >= plain || below <= style.Width("σ") {
		t.Errorf("σ with a subscript is %v wide, without %v; want less", below, plain)
	}
	image := svgOf(t, curve())
	for _, text := range []string{">σ<", ">drop<"} {
		if !strings.Contains(image, text) {
			t.Errorf("there is no text %s", text)
		}
	}
}
