// Program makespan simulates studies on a cluster: trainings are drawn from measured
// ones, cut into tasks by what plans estimate, as "sml study submit" does it, and run for
// as long as they took. Those of the studies named are measured, or the file's.
//
//	go run ./bench/makespan [STUDY...]
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sml/evaluation/study"
	_ "sml/models/methods"
)

func main() {
	file := flag.String("trainings", "bench/makespan/testdata/trainings.csv", "file of measured trainings, where no study is named")
	scale := flag.Float64("scale", 20, "factor of what trainings take")
	list := flag.Bool("list", false, "print the trainings, as the file has them, and simulate nothing")
	flag.Parse()
	if err := run(flag.Args(), *file, *scale, *list); err != nil {
		fmt.Fprintln(os.Stderr, "makespan:", err)
		os.Exit(1)
	}
}

func run(dirs []string, file string, scale float64, list bool) error {
	var from []training
	if len(dirs) == 0 {
		var err error
		if from, err = read(file); err != nil {
			return err
		}
	}
	for _, dir := range dirs {
		own, err := measured(dir)
		if err != nil {
			return err
		}
		from = append(from, own...)
	}
	if list {
		for _, t := range from {
			fmt.Printf("%.3g,%.3g\n", t.estimated, t.measured)
		}
		return nil
	}
	if len(from) == 0 {
		return fmt.Errorf("%s has no training that has ended", strings.Join(dirs, ", "))
	}
	for i := range from {
		from[i].estimated *= scale
		from[i].measured *= scale
	}
	fmt.Println("| cells | workers | tasks | lower bound | shares alone | shares that help |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, cells := range []int{1e4, 1e5} {
		all := drawn(from, cells, 1)
		for _, workers := range []int{10, 100, 1000} {
			c := workplace{workers, startOf(cells)}
			n := tasks(all, workers)
			bound := c.bound(all)
			over := func(help bool) float64 { return 100 * (c.makespan(all, n, help)/bound - 1) }
			fmt.Printf("| %d | %d | %d | %.0f s | + %.1f %% | + %.1f %% |\n", cells, workers, n, bound, over(false), over(true))
		}
	}
	return nil
}

// read reads a file of lines of estimated and measured seconds.
func read(file string) ([]training, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []training
	for line := range strings.Lines(string(text)) {
		var t training
		if _, err := fmt.Sscanf(line, "%g,%g", &t.estimated, &t.measured); err != nil {
			return nil, fmt.Errorf("%s: line %q: %w", file, line, err)
		}
		list = append(list, t)
	}
	return list, nil
}

// measured are the trainings of a study that have ended.
func measured(dir string) ([]training, error) {
	p, err := study.ReadPlan(dir)
	if err != nil {
		return nil, err
	}
	seconds, err := logged(filepath.Join(dir, "log.jsonl"))
	if err != nil {
		return nil, err
	}
	var list []training
	for _, cells := range p.Cut(len(p.Cells)) { // one a share
		if len(cells) == 0 {
			continue
		}
		t, ended := training{estimated: cells[0].Cost}, true
		for _, c := range cells {
			took, ok := seconds[c.Name]
			t.measured, ended = t.measured+took, ended && ok
		}
		if ended {
			list = append(list, t)
		}
	}
	return list, nil
}

// logged are the seconds that a study's log has of each cell.
func logged(path string) (map[string]float64, error) {
	f, err := os.Open(path)
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
		if json.Unmarshal(lines.Bytes(), &e) == nil {
			seconds[e.Cell] = e.Seconds
		}
	}
	return seconds, lines.Err()
}
