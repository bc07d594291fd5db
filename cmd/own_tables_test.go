package cmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"sml/evaluation"
	"sml/evaluation/study"
	"sml/internal/expect"
)

// The train command and the cell of a study with the same settings have the same scores,
// bit for bit, on a raw table with weights and a further column: for single networks, for an
// ensemble, and for its first member, which the study does not train again.
func TestTrainIsCellOfOwnTable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	table := "kind,when,hole,count,group,y\n"
	for i := range 50 {
		table += fmt.Sprintf("%s,2024-%02d-%02d,%s,%d,%d,%d\n", []string{"a", "b", "c"}[i%3], 1+i%12, 1+i%28, []string{"", "1.5", "2", "7"}[i%4], 1+i%2, i/10, 1+i*i%19)
	}
	writeFile(t, at("own.csv"), table)
	of := []string{"--data", at("own.csv"), "--target", "y", "--weight", "count", "--extra", "group", "--missing", "mean", "--transform", "log", "--epochs", "2", "--hidden", "8,4"}
	dropout := []string{"--dropout", "0.2"} // of sml: the other methods drop no units
	runSML(t, nil, slices.Concat([]string{"study", "plan", at("s"), "--methods", "sml,pu,pu-de", "--fold", "3"}, of, dropout)...)
	runSML(t, nil, "study", "run", at("s"), "--quiet")
	p := expect.Must(study.ReadPlan(at("s")))
	compared := 0
	collected, _, err := study.Collect([]study.Directory{{Dir: at("s"), Plan: p}})
	expect.NoError(t, err)
	for _, c := range p.Cells {
		var trained struct {
			Test evaluation.Evaluation
		}
		args := append([]string{"train", "--method", c.Label, "--split", "random", "--fold", "3", "--seed", "1", "--quiet", "--json", "--out", at(c.Label)}, of...)
		if c.Label == "sml" {
			args = append(args, dropout...)
		}
		text := runSML(t, nil, args...)
		unmarshal(t, text, &trained)
		for _, s := range collected[0].Scores {
			if s.Method != c.Label || s.Split != "test" {
				continue
			}
			compared++
			if got := trained.Test.Standardised.Get(s.Measure); s.Dataset != "own" || got != s.Mean {
				t.Errorf("%s of %s: %s is %v, and train's %v", c.Label, s.Dataset, s.Measure, s.Mean, got)
			}
		}
	}
	if compared < 3*5 {
		t.Errorf("%d scores", compared)
	}
}
