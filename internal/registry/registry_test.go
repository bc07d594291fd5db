package registry

import (
	"slices"
	"strings"
	"testing"
)

func words() *Registry[string] {
	return New("word", func(w string) string { return w }, "import one")
}

func TestRegistryKeepsOrder(t *testing.T) {
	r := words()
	for _, w := range []string{"b", "a", "c"} {
		r.Add(w)
	}
	if want := []string{"b", "a", "c"}; !slices.Equal(r.Names(), want) || !slices.Equal(r.All(), want) {
		t.Errorf("names %v, values %v; want %v", r.Names(), r.All(), want)
	}
	if a, err := r.Lookup("a"); err != nil || a != "a" {
		t.Errorf("a is found as %q, %v", a, err)
	}
}

func TestLookupListsNames(t *testing.T) {
	r := words()
	if _, err := r.Lookup("d"); err == nil || err.Error() != `unknown word "d": none is registered; import one` {
		t.Errorf("of an empty registry: %v", err)
	}
	r.Add("b")
	r.Add("a")
	if _, err := r.Lookup("d"); err == nil || err.Error() != `unknown word "d"; want one of b, a` {
		t.Errorf("of two words: %v", err)
	}
}

func TestAddRefusesNames(t *testing.T) {
	for _, name := range []string{"", "a b", "a\tb", "a\x7f", "a/b", `a\b`, "twice"} {
		r := words()
		r.Add("twice")
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(p.(string), "word") {
					t.Errorf("%q: panic %v", name, p)
				}
			}()
			r.Add(name)
		}()
	}
}
