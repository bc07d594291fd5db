package experiment

import (
	"strings"
	"testing"

	"sml/data"
)

// By the documentation of checkTargetRange: the size of numbers and the standard deviation count.
func TestTargetRange(t *testing.T) {
	for want, targets := range map[string][]float64{
		"row 2 of t: the target b is -4e+300; want at most 1e+150 in size":               {1, 2, 3, -4e300},
		"t: the target a has the standard deviation 5e-301; want at least 1e-150":        {1e-300, 2, 2e-300, 3},
		"t: the target a has the standard deviation 5e-161; want at least 1e-150, since": {1e-160, 2, 2e-160, 3},
		"": {1e-300, 1e150, 1e-300, 0}, // the first target is constant
	} {
		err := checkTargetRange(&data.Table{Name: "t", Targets: []string{"a", "b"}, Y: targets})
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v; want %q", targets, err, want)
		}
	}
}
