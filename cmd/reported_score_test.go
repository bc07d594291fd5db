package cmd

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// checkReportedScore returns an error unless scores.csv of a report, in path, has the score
// METHOD/DATASET/SPLIT/MEASURE exactly once, no fold of it failed, and its mean is a finite number above
// low and below high.
func checkReportedScore(path, score string, low, high float64) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	field := func(row []string, column string) string { return row[slices.Index(rows[0], column)] }
	means := 0
	for _, row := range rows[1:] {
		name := strings.Join([]string{field(row, "method"), field(row, "dataset"), field(row, "split"), field(row, "measure")}, "/")
		if name != score {
			continue
		}
		means++
		if failed := field(row, "failed"); failed != "0" {
			return fmt.Errorf("%s: %s: %s folds failed", path, score, failed)
		}
		mean, err := strconv.ParseFloat(field(row, "mean"), 64)
		if err != nil {
			return err
		}
		if math.IsInf(mean, 0) || !(low < mean && mean < high) { // false for NaN
			return fmt.Errorf("%s: %s is %v; want more than %v and less than %v", path, score, mean, low, high)
		}
	}
	if means != 1 {
		return fmt.Errorf("%s has %s %d times, want once", path, score, means)
	}
	return nil
}

// reported FILE METHOD/DATASET/SPLIT/MEASURE LOW HIGH: the scores.csv of a report has a finite score
// between the two numbers, and no fold of the score failed.
func reported(ts *testscript.TestScript, neg bool, args []string) {
	low, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	high, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	err = checkReportedScore(ts.MkAbs(args[0]), args[1], low, high)
	if (err != nil) != neg {
		ts.Fatalf("%s of %s: %v", args[1], args[0], err)
	}
}

// A score keeps a bound only if it is there once, finite, of all folds, and strictly within the bounds.
func TestCheckReportedScore(t *testing.T) {
	path := t.TempDir() + "/scores.csv"
	text := "dataset,method,split,measure,mean,std,folds,failed\n" +
		"a,mc,test,nll,-0.5,0,1,0\n" +
		"a,mc,test,ece,NaN,0,1,0\n" +
		"a,mc,test,ws,-Inf,0,1,0\n" +
		"a,mc,test,rmse,0.5,0,2,1\n"
	writeFile(t, path, text)
	if err := checkReportedScore(path, "mc/a/test/nll", -1, 0); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		score     string
		low, high float64
	}{
		{"mc/a/test/nll", -0.5, 0},
		{"mc/a/test/nll", -1, -0.5},
		{"mc/a/test/ece", -1, 1},
		{"mc/a/test/ws", math.Inf(-1), 1},
		{"mc/a/test/rmse", 0, 1},
		{"mc/b/test/rmse", 0, 1},
	} {
		if checkReportedScore(path, c.score, c.low, c.high) == nil {
			t.Errorf("%s is between %v and %v", c.score, c.low, c.high)
		}
	}
}
