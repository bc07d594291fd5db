package check

import (
	"sml/models"
)

// T is what Test needs of a *testing.T.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Test checks a registered method, with its default hyperparameters but for
// those chosen, and fails the test with the report if anything is wrong with it.
func Test(t T, method string, chosen models.Hyperparameters) {
	t.Helper()
	r, err := Method(method, Settings{Hyperparameters: chosen, Seed: 1})
	switch {
	case err != nil:
		t.Errorf("%s: %v", method, err)
	case !r.Passed():
		t.Errorf("%s:\n%s", method, r)
	default:
		t.Logf("%s:\n%s", method, r)
	}
}

// TestNetwork checks a registered network, and fails the test with what is found
// if anything is wrong with it.
func TestNetwork(t T, name string) {
	t.Helper()
	f, err := Network(name, 1)
	switch {
	case err != nil:
		t.Errorf("%s: %v", name, err)
	case !f.Passed():
		t.Errorf("%s:\n%s", name, f)
	default:
		t.Logf("%s:\n%s", name, f)
	}
}
