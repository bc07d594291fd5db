package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/internal/expect"
)

// The column row has the number that a row has in the file, although rows before it are left out: without a target,
// without inputs, with a missing input, or of weight 0. The target of every row of the file is its number.
func TestRowNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := []string{"x,z,part,w,y"}
	var kept, tested []int // numbers of the rows that are not left out, and of the test rows among them
	for n := 1; n <= 90; n++ {
		x, z, weight, target := strconv.Itoa(n*37%91), strconv.Itoa(n*11%17), "1", strconv.Itoa(n)
		switch n % 9 {
		case 2:
			target = ""
		case 3:
			x, z = "", ""
		case 5:
			z = ""
		case 7:
			weight = "0"
		default:
			kept = append(kept, n)
			if n%3 == 1 {
				tested = append(tested, n)
			}
		}
		lines = append(lines, strings.Join([]string{x, z, []string{"train", "test", "train"}[n%3], weight, target}, ","))
	}
	writeFile(t, "t.csv", strings.Join(lines, "\n")+"\n")
	table := []string{"--data", "t.csv", "--target", "y", "--weight", "w", "--missing", "drop", "--folds-column", "part", "--transform", "none"}
	training := append([]string{"--hidden", "4", "--epochs", "1"}, table...)
	runSML(t, nil, append([]string{"train", "--method", "pu", "--out", "m", "--quiet"}, training...)...)
	runSML(t, nil, append([]string{"train", "--method", "pu", "--out", "other", "--quiet"}, training...)...)
	check := func(path string, want []int, isNumber bool) {
		t.Helper()
		rows := readRowColumn(t, path, isNumber)
		if !slices.Equal(rows, want) {
			t.Errorf("%s has the rows %v; want %v", path, rows, want)
		}
	}
	for on, want := range map[string][]int{"all": kept, "test": tested} {
		runSML(t, nil, "evaluate", "m", "--on", on, "--predictions", on+".csv", "--quiet")
		check(on+".csv", want, true)
		runSML(t, nil, "evaluate", "m", "--data", "t.csv", "--on", on, "--predictions", "named.csv", "--force", "--quiet")
		check("named.csv", want, true)
	}
	// The predictions of another program, by the number of the row.
	reverseLines(t, "test.csv", "reversed.csv")
	runSML(t, nil, "compare", "m", "other", "reversed.csv", "--quiet")
	runSML(t, nil, append([]string{"study", "plan", "s", "--methods", "pu", "--save-predictions", "csv"}, training...)...)
	runSML(t, nil, "study", "run", "s", "--quiet")
	cells, err := filepath.Glob("s/predictions/*.csv")
	if err != nil || len(cells) != 1 {
		t.Fatal(cells, err)
	}
	check(cells[0], tested, false)
}

// readRowColumn returns the column row of a CSV file. If targetIsNumber, it fails unless the target of each row is the
// same number.
func readRowColumn(t *testing.T, path string, targetIsNumber bool) []int {
	t.Helper()
	records := readCSV(t, readFile(t, path))
	y := slices.Index(records[0], "y")
	var rows []int
	for _, record := range records[1:] {
		row := expect.Must(strconv.Atoi(record[0]))
		rows = append(rows, row)
		if targetIsNumber && record[y] != fmt.Sprint(row) {
			t.Errorf("%s: row %d has the target %s", path, row, record[y])
		}
	}
	return rows
}
