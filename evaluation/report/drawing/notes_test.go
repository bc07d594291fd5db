package drawing

import "testing"

func TestNotes(t *testing.T) {
	cases := []struct{ got, want string }{ // by hand
		{CountNote(0, "beyond"), ""},
		{CountNote(3, "beyond"), "3 beyond"},
		{JoinNotes("", "a", "", "b"), "a, b"},
		{JoinNotes(), ""},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%q; want %q", c.got, c.want)
		}
	}
}
