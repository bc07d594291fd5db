package study

import "testing"

// A single network that is judged as the first member of an ensemble has the
// bytes of one that was trained by itself, its warnings among them.
func TestAMemberIsTheNetworkAlone(t *testing.T) {
	config := small
	config.Datasets, config.Splits, config.Fold, config.Rate = []string{"aa"}, []string{"random"}, []int{0}, []float64{1}
	config.Validation = []float64{0} // an epoch chosen would be one without a warning
	result := func(methods ...string) string {
		t.Helper()
		config.Methods = methods
		dir, p, _ := ran(t, config, Options{})
		for _, c := range p.Cells {
			if r, _, err := Load(dir, p, c); err != nil || len(r.Warnings) == 0 {
				t.Fatalf("%s: %q, %v: want warnings", c.Name, r.Warnings, err)
			}
			if c.Label == "pu" {
				return contents(t, dir)["cells/"+c.Name+".json"]
			}
		}
		t.Fatal("no such cell")
		return ""
	}
	if alone, member := result("pu"), result("pu-de", "pu"); alone != member {
		t.Errorf("alone:\n%s\nas a member:\n%s", alone, member)
	}
}
