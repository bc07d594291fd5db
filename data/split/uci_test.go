package split

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// The published divisions. Source of the rows and checksums: NumPy 1.24.2,
//
//	numpy.random.seed(1)
//	for fold in range(folds):
//	    test = sorted(numpy.random.choice(range(n), n, replace=False)[round(0.9 * n):])
//	hashlib.sha256(",".join(map(str, test)).encode()).hexdigest()[:16]
//
// which gave the same rows as all index files that Gal and Ghahramani published.
func TestUCIFolds(t *testing.T) {
	for _, c := range []struct {
		table      string
		rows, fold int
		testRows   int
		first      []int
		sum        string
	}{
		{"yacht", 308, 0, 31, []int{1, 7, 22, 37, 50, 68}, "f5251bdd238a09d6"},
		{"yacht", 308, 19, 31, []int{5, 19, 21, 27, 44, 53}, "f029f073e8b471d9"},
		{"protein", 45730, 0, 4573, []int{14, 15, 18, 20, 27, 41}, "6b4ade3b1a5c4987"},
		{"protein", 45730, 4, 4573, []int{12, 29, 36, 42, 54, 56}, "9f21d0c749fc5f62"},
		{"own", 25, 0, 3, []int{5, 11, 12}, "18c67354ce9ee9ab"}, // 22.5 training rows are rounded to 22
		{"own", 25, 2, 3, []int{3, 6, 7}, "5dd4e4fbc477e4d4"},
	} {
		table := tableWithTargets(make([]float64, c.rows)...)
		table.Name = c.table
		for _, seed := range []uint64{0, 7} { // the folds do not depend on it
			test := mustRows(t, table, "uci", Options{Protocol: data.Sound, Fold: c.fold, Seed: seed}).Test
			if len(test) != c.testRows || !slices.Equal(test[:min(6, len(test))], c.first[:min(6, len(c.first))]) {
				t.Errorf("%s, fold %d: %d test rows, first %v; want %d, first %v", c.table, c.fold, len(test), test[:3], c.testRows, c.first)
			}
			texts := strings.Split(strings.Trim(fmt.Sprint(test), "[]"), " ")
			sum := sha256.Sum256([]byte(strings.Join(texts, ",")))
			if got := hex.EncodeToString(sum[:8]); got != c.sum {
				t.Errorf("%s, fold %d: the test rows have the checksum %s; want %s", c.table, c.fold, got, c.sum)
			}
		}
	}
}

// Five divisions of protein were published, and twenty of every other data set.
func TestUCIFoldCount(t *testing.T) {
	kind := expect.Must(Lookup("uci"))
	table := tableWithTargets(make([]float64, 40)...)
	for name, want := range map[string]int{"protein": 5, "yacht": 20} {
		table.Name = name
		if got, err := kind.CountFolds(table); got != want || err != nil {
			t.Errorf("%s has %d folds, error %v; want %d", name, got, err, want)
		}
	}
	table.Name = "protein"
	if _, err := splitRows(table, "uci", Options{Protocol: data.Sound, Fold: 5}); err == nil {
		t.Error("protein has a sixth fold")
	}
}
