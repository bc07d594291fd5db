package study

import (
	"maps"
	"slices"
	"time"
)

// Times records when and where a study was run, according to its logs.
type Times struct {
	First, Last time.Time     // start of the first cell and end of the last
	Wall        time.Duration // time during which at least one process ran
	Machines    []Machine     // in the order of their first entries
}

// processID identifies a process among several machines.
type processID struct {
	host   string
	number int // process ID on the host
}

// period is the time during which a process ran cells. The zero value stands for no time.
type period struct{ begin, end time.Time }

// ReadTimes returns the times and machines in the logs of a study. It returns the zero Times if the study has no logs.
func ReadTimes(dir string) (Times, error) {
	var t Times
	periods := make(map[processID]period)
	isKnown := make(map[Machine]bool)
	err := readLog(dir, func(e logEntry, _ []byte) {
		id := processID{e.Host, e.Process}
		periods[id] = periods[id].extend(e)
		if !isKnown[e.Machine] {
			isKnown[e.Machine] = true
			t.Machines = append(t.Machines, e.Machine)
		}
	})
	t.addPeriods(slices.Collect(maps.Values(periods)))
	return t, err
}

// extend returns the shortest period that contains p and the time of a cell.
func (p period) extend(e logEntry) period {
	begin := e.Time.Add(-time.Duration(e.Seconds * float64(time.Second)))
	if p == (period{}) || begin.Before(p.begin) {
		p.begin = begin
	}
	if e.Time.After(p.end) {
		p.end = e.Time
	}
	return p
}

// addPeriods sets First, Last and Wall from the periods of all processes. Time during which several processes ran
// counts once: in the order of their begins, each period adds the time after the latest end so far, t.Last.
func (t *Times) addPeriods(periods []period) {
	slices.SortFunc(periods, func(a, b period) int { return a.begin.Compare(b.begin) })
	for i, p := range periods {
		if i == 0 {
			t.First = p.begin
			t.Last = p.begin
		}
		if !p.end.After(t.Last) {
			continue
		}
		uncounted := p.begin // begin of the part of the period that does not count yet
		if t.Last.After(uncounted) {
			uncounted = t.Last
		}
		t.Wall += p.end.Sub(uncounted)
		t.Last = p.end
	}
}
