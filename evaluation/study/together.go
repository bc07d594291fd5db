package study

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sml/evaluation/measure"
)

// Located is a plan and the directory of its study.
type Located struct {
	Dir  string
	Plan *Plan
}

// Together reads the results of several studies. What they have of one method on one
// data set, of other splits, folds and seeds, is taken together and stands with the
// first study that has it; a training that several have counts once, which notes tell.
// Where there are several seeds, the scores of each stand beside.
// It is an error if the method or the data set is not the same in all of them.
func Together(studies []Located) (list []Collected, notes []string, err error) {
	if err := comparable(studies); err != nil {
		return nil, nil, err
	}
	type training struct {
		dataset, method, split string
		fold, inner            int
		seed                   uint64
	}
	type found struct {
		outcome
		in int // which study's it is
	}
	f := newFound()
	known := make(map[training]found)
	var order []training
	cells := make(map[training]Cell)
	for i, s := range studies {
		list = append(list, Collected{Summary: noCells()})
		twice, first := 0, ""
		for c, o := range loaded(s.Dir, s.Plan, s.Plan.Cells) {
			list[i].Summary.add(c, o)
			k := training{c.Dataset(), c.Label, c.Training.Split, c.Training.Fold, c.Training.Inner.Fold, c.Training.Seed}
			before, there := known[k]
			if !there {
				order, cells[k] = append(order, k), c.Cell
			} else if twice++; first == "" {
				first = studies[before.in].Dir
			}
			if !there || before.State != Done && (o.State == Done || before.State != Failed) {
				known[k] = found{o, i}
			}
		}
		if twice > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d of its trainings count once, since %s has them, too", s.Dir, twice, first))
		}
	}
	if len(studies) > 1 { // sums do not depend on how trainings are cut into studies
		slices.SortStableFunc(order, func(a, b training) int {
			return cmp.Or(cmp.Compare(a.fold, b.fold), cmp.Compare(a.inner, b.inner), cmp.Compare(a.seed, b.seed))
		})
	}
	for _, k := range order {
		f.add(cells[k], known[k].Result, known[k].State)
	}
	for i, s := range studies {
		f.tell(&list[i], s.Plan)
	}
	seeds := make(map[uint64][]training)
	for _, k := range order {
		seeds[k.seed] = append(seeds[k.seed], k)
	}
	if len(seeds) < 2 {
		return list, notes, nil
	}
	for _, seed := range slices.Sorted(maps.Keys(seeds)) {
		f, partial := newFound(), make(map[reported]bool)
		for _, k := range seeds[seed] {
			f.add(cells[k], known[k].Result, known[k].State)
			if state := known[k].State; state != Done && state != Failed {
				for _, split := range reportedSplits(cells[k]) {
					partial[reported{k.dataset, k.method, split}] = true
				}
			}
		}
		for i, s := range studies {
			var own Collected
			f.tell(&own, s.Plan)
			own.Scores = slices.DeleteFunc(own.Scores, func(s measure.Score) bool { return partial[reported{s.Dataset, s.Method, s.Split}] })
			if len(own.Scores) > 0 {
				list[i].Seeds = append(list[i].Seeds, SeedScores{seed, own.Scores})
			}
		}
	}
	return list, notes, nil
}

// SeedScores are the scores of one seed, over its folds: those whose planned trainings
// have all ended.
type SeedScores struct {
	Seed   uint64
	Scores []measure.Score
}

// comparable returns an error if studies mean different things by a method or a
// data set.
func comparable(studies []Located) error {
	type first struct {
		Cell
		in Located
	}
	known := make(map[[2]string]first)
	shares := make(map[[2]string]first) // by data set and split
	for _, s := range studies {
		seen := make(map[[2]string]bool)
		for _, c := range s.Plan.Cells {
			split := [2]string{c.Dataset(), c.Training.Split}
			if before, there := shares[split]; !there {
				shares[split] = first{c.Cell, s}
			} else if was, now := before.Training.TestShare, c.Training.TestShare; was != now {
				return fmt.Errorf("the %s split of %s tests on a share of %v in %s, and of %v in %s: report them apart", split[1], split[0], now, s.Dir, was, before.in.Dir)
			}
			k := [2]string{c.Dataset(), c.Label}
			if seen[k] { // cells of one plan differ in splits, folds and seeds alone
				continue
			}
			seen[k] = true
			before, there := known[k]
			if !there {
				known[k] = first{c.Cell, s}
				continue
			}
			what := fmt.Sprintf("%s on %s", c.Label, c.Dataset())
			switch {
			case before.Table.Checksum != c.Table.Checksum:
				return fmt.Errorf("%s is another table in %s than in %s: report them apart, or give one another name", c.Dataset(), s.Dir, before.in.Dir)
			case before.in.Plan.Version != s.Plan.Version:
				return fmt.Errorf("%s was computed by version %s of the program in %s, and by version %s in %s: their results are not mixed", what, s.Plan.Version, s.Dir, before.in.Plan.Version, before.in.Dir)
			}
			if key, now, was := differs(c.essence(), before.essence()); key != "" {
				return fmt.Errorf("%s has %s %s in %s, and %s in %s: studies that are reported together differ in splits, folds and seeds alone; report them apart, or plan one study with both values", what, key, now, s.Dir, was, before.in.Dir)
			}
		}
	}
	return nil
}

// essence is what cells share that are one method on one data set, as JSON.
func (c Cell) essence() []byte {
	s := c.Settings
	s.Training.Split, s.Training.Fold, s.Training.Inner.Fold, s.Training.Seed, s.Training.TestShare = "", 0, 0, 0, 0
	s.Table.Name = c.Dataset() // from whatever folder
	return mustJSON(s)
}

// differs returns the first key in which two JSON objects differ, with what each has
// for it; "": they are equal.
func differs(a, b []byte) (key, inA, inB string) {
	if bytes.Equal(a, b) {
		return "", "", ""
	}
	var x, y map[string]json.RawMessage
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || x == nil || y == nil {
		return "value", shown(a), shown(b)
	}
	var keys []string
	for _, m := range []map[string]json.RawMessage{x, y} {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		switch inner, inX, inY := differs(x[k], y[k]); inner {
		case "":
		case "value":
			return k, inX, inY
		default:
			return inner, inX, inY
		}
	}
	return "", "", ""
}

// shown is a JSON value as messages have it.
func shown(text []byte) string {
	if len(text) == 0 {
		return "nothing"
	}
	return strings.Trim(string(text), `"`)
}
