package study

import (
	"cmp"
	"slices"

	"sml/models"
)

// job is a cell, and that of a single network which is the first member of its
// ensemble.
type job struct {
	cell   Planned
	member *Planned
	name   string // by which runs tell each other that they run it
	held   bool   // by another run, when it was last looked at
}

func (j job) cells() []Planned {
	if j.member == nil {
		return []Planned{j.cell}
	}
	return []Planned{j.cell, *j.member}
}

// without takes the cells from a job that ended tells, and tells whether any is left.
func (j *job) without(ended func(Planned) bool) bool {
	if j.member != nil && ended(*j.member) {
		j.member = nil
	}
	if !ended(j.cell) {
		return true
	}
	if j.member == nil {
		return false
	}
	j.cell, j.member = *j.member, nil
	return true
}

func longestFirst(jobs []job) {
	slices.SortStableFunc(jobs, func(a, b job) int { return cmp.Compare(b.cell.Cost, a.cell.Cost) })
}

// pair makes jobs of cells.
func pair(cells []Planned) []job {
	key := func(c Cell, method string) string {
		c.Label, c.Spec.Method, c.Training.Members = "", method, 0
		return c.hash()
	}
	wanted := make(map[string]bool) // methods of members of the ensembles that there are
	for _, c := range cells {
		if m, err := models.Lookup(c.Spec.Method); err == nil && c.Training.Members > 1 {
			wanted[m.Member] = true
		}
	}
	members := make(map[string]*Planned) // by what they would be called as an ensemble
	for i, c := range cells {
		if wanted[c.Spec.Method] && c.Training.Members == 1 && c.Training.Calibrate == 0 { // what calibrates a network is not what calibrates several
			members[key(c.Cell, c.Spec.Method)] = &cells[i]
		}
	}
	joined := make(map[string]bool)
	var jobs []job
	for _, c := range cells {
		m, err := models.Lookup(c.Spec.Method)
		if err != nil || m.Member == "" || c.Training.Members < 2 {
			continue
		}
		if single := members[key(c.Cell, m.Member)]; single != nil && !joined[single.Name] {
			joined[single.Name] = true
			joined[c.Name] = true
			jobs = append(jobs, job{cell: c, member: single, name: c.Name})
		}
	}
	for _, c := range cells {
		if !joined[c.Name] {
			jobs = append(jobs, job{cell: c, name: c.Name})
		}
	}
	return jobs
}
