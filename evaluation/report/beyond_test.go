package report

import "testing"

func TestNotes(t *testing.T) {
	cases := []struct{ got, want string }{ // by hand
		{counted("↑", 0, "above"), ""},
		{counted("↑", 1, "above"), "↑ 1 value above"},
		{counted("", 12, "missing"), "12 values missing"},
		{beyondNote(0), ""},
		{beyondNote(3), "3 beyond"},
		{joined("", "a", "", "b"), "a, b"},
		{joined(), ""},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%q; want %q", c.got, c.want)
		}
	}
}
