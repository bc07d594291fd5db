// Program makespan simulates studies on a cluster: trainings are drawn from those that
// were measured in other studies, cut into tasks by what plans estimate, and run for
// as long as they took.
//
//	go run ./bench/makespan STUDY...
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"

	_ "sml/evaluation/paper"
	"sml/evaluation/study"
	_ "sml/models/methods"
)

func main() {
	start := flag.Float64("start", 1, "seconds that a task takes before its first cell")
	scale := flag.Float64("scale", 1, "factor of what trainings took")
	flag.Parse()
	if err := run(flag.Args(), *start, *scale); err != nil {
		fmt.Fprintln(os.Stderr, "makespan:", err)
		os.Exit(1)
	}
}

func run(dirs []string, start, scale float64) error {
	var from []training
	for _, dir := range dirs {
		own, err := measured(dir)
		if err != nil {
			return err
		}
		from = append(from, own...)
	}
	for i := range from {
		from[i].estimated *= scale
		from[i].measured *= scale
	}
	fmt.Printf("%d trainings\n", len(from))
	for _, cells := range []int{1e4, 1e5} {
		all := drawn(from, cells, 1)
		work := 0.0
		for _, t := range all {
			work += t.measured
		}
		fmt.Printf("%d cells, %.0f s mean\n", cells, work/float64(cells))
		for _, workers := range []int{10, 100, 1000} {
			c := cluster{workers, start}
			bound := c.bound(all)
			fmt.Printf("%5d workers, bound %8.1f:", workers, bound)
			for _, waves := range []int{1, 2, 4, 10} {
				if tasks := workers * waves; tasks <= cells {
					fmt.Printf("  %d: %.1f|%.1f%%", waves, 100*(c.makespan(all, tasks, false)/bound-1), 100*(c.makespan(all, tasks, true)/bound-1))
				}
			}
			fmt.Println()
		}
	}
	return nil
}

// measured reads what the trainings of a study took that have ended.
func measured(dir string) ([]training, error) {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return nil, err
	}
	seconds, err := log(dir)
	if err != nil {
		return nil, err
	}
	var list []training
	for _, cells := range p.Cut(len(p.Cells)) {
		t := training{}
		for i, c := range cells {
			if i == 0 {
				t.estimated = c.Cost
			}
			t.measured += seconds[c.Name] // NaN if it is not there
		}
		if _, ok := seconds[cellsName(cells)]; ok && len(cells) > 0 {
			list = append(list, t)
		}
	}
	return list, nil
}

func cellsName(cells []study.Planned) string {
	if len(cells) == 0 {
		return ""
	}
	return cells[len(cells)-1].Name
}

func log(dir string) (map[string]float64, error) {
	f, err := os.Open(filepath.Join(dir, "log.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	seconds := make(map[string]float64)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e struct {
			Cell    string
			Seconds float64
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Seconds >= 0 && !math.IsInf(e.Seconds, 0) {
			seconds[e.Cell] = e.Seconds
		}
	}
	return seconds, lines.Err()
}
