//go:build capacity

package study

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sml/evaluation/measure"
	"sml/internal/strict"
)

// TestFilled writes plausible results of all cells of the study that SML_FILL names,
// and their log, for measurements of what a large study takes (docs/howto/machines.md). If
// SML_FILL_SHARDS is set, the results go to as many directories in the study's, and
// none to itself. It is run by go test -tags capacity -run Filled.
func TestFilled(t *testing.T) {
	dir := os.Getenv("SML_FILL")
	if dir == "" {
		t.Fatal("set SML_FILL to the folder of a study that is planned, and not run")
	}
	p, err := ReadPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	into, cells := []string{dir}, [][]PlannedCell{p.Cells}
	if n := os.Getenv("SML_FILL_SHARDS"); n != "" {
		var count int
		if _, err := fmt.Sscan(n, &count); err != nil {
			t.Fatal(err)
		}
		into, cells = nil, nil
		for i := range count {
			into = append(into, filepath.Join(dir, "shares", fmt.Sprint(i+1)))
			cells = append(cells, p.shardCells(Shard{i + 1, count}))
		}
	}
	for i, own := range cells {
		if err := p.Write(into[i]); err != nil {
			t.Fatal(err)
		}
		log, err := openLog(into[i], Shard{})
		if err != nil {
			t.Fatal(err)
		}
		lines := make([][]byte, len(own))
		errs := make([]error, len(own))
		runParallel(len(own), func(k int) { lines[k], errs[k] = fill(into[i], p, own[k]) })
		for k, line := range lines {
			if errs[k] != nil {
				t.Fatal(errs[k])
			}
			if _, err := log.Write(line); err != nil {
				t.Fatal(err)
			}
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// fill writes a plausible result of a cell and returns its line of the log.
func fill(dir string, p *Plan, c PlannedCell) ([]byte, error) {
	r := rand.New(rand.NewPCG(c.Training.Seed, uint64(c.Training.Fold)))
	measures, err := measure.Select(p.Config.Measures)
	if err != nil {
		return nil, err
	}
	rows := func(n int) *rowScores {
		s := &rowScores{Rows: n}
		for _, m := range measures {
			if m.Name == recalibrated { // of test rows alone
				continue
			}
			s.Scores = append(s.Scores, measure.Value{Measure: m.Name, Score: r.Float64()})
		}
		return s
	}
	result := Result{Loss: strict.Number(r.Float64()), Test: rows(c.Table.Rows / 10), TrainRows: c.Table.Rows * 9 / 10, TargetMean: 1, TargetStd: 2}
	if c.scoresTrainingRows() {
		result.Train = rows(result.TrainRows)
	}
	line, err := json.Marshal(logEntry{Time: time.Now().UTC(), Cell: c.Name, Process: 1, Seconds: c.Cost, Machine: Machine{Host: "node-123", CPU: "AMD EPYC 7763 64-Core Processor", System: "linux/amd64", Cores: 1, Kernels: "avx2", Go: "go1.26", Gorgonia: "v0.9.18"}})
	if err != nil {
		return nil, err
	}
	file, err := encodeResult(p.Version, c, result)
	if err != nil {
		return nil, err
	}
	path := p.cellPath(dir, c.Name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return append(line, '\n'), os.WriteFile(path, file, 0o666) // safefile syncs, which takes most of the time
}
