package main

import "testing"

// On 10, 100 and 1000 workers, ten and a hundred thousand trainings take at most a
// twentieth more than they must.
func TestNearTheBound(t *testing.T) {
	from, err := read("testdata/trainings.csv")
	if err != nil {
		t.Fatal(err)
	}
	for i := range from {
		from[i].estimated *= 20
		from[i].measured *= 20
	}
	for _, cells := range []int{1e4, 1e5} {
		all := drawn(from, cells, 1)
		for _, workers := range []int{10, 100, 1000} {
			w := workplace{workers, startOf(cells)}
			if over := w.makespan(all, tasks(all, workers), true)/w.bound(all) - 1; over < 0 || over > 0.05 {
				t.Errorf("%d cells on %d workers take %.1f %% longer than the bound", cells, workers, 100*over)
			}
		}
	}
}

// By hand: shares of 4 and 3+1, as estimated, on two workers. The second takes 6+5, unless
// the first helps it: 0.1 seconds later than 4 that takes the 5.
func TestMakespan(t *testing.T) {
	all := []training{{4, 4}, {3, 6}, {1, 5}}
	w := workplace{workers: 2}
	if got := w.makespan(all, 2, false); got != 11 {
		t.Errorf("alone they take %v", got)
	}
	if got := w.makespan(all, 2, true); got != 9.1 {
		t.Errorf("with help they take %v", got)
	}
	if got := w.bound(all); got != 7.5 {
		t.Errorf("the bound is %v", got)
	}
}
