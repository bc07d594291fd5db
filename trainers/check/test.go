package check

import (
	"sml/models"
)

// T is the part of *testing.T that Test, TestNetwork and TestFamily use.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Test checks a registered method with the chosen hyperparameters, or its defaults where none are
// chosen. If a check fails, the test fails with the report; otherwise the report is logged.
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

// TestNetwork checks a registered network. If a check fails, the test fails with the findings;
// otherwise the findings are logged.
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
