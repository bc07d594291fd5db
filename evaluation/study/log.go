package study

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// entry is a line of the log: a cell that was finished.
type entry struct {
	Time    time.Time `json:"time"`
	Cell    string    `json:"cell"`
	Host    string    `json:"host"`
	Process int       `json:"process"`
	Cores   int       `json:"cores"`
	Seconds float64   `json:"seconds"`
	Failed  string    `json:"failed,omitempty"`
}

// Times are when and where a study was run, as its log tells.
type Times struct {
	First, Last time.Time     // of the first cell's start and the last cell's end
	Wall        time.Duration // without the time between one run and the next
	Hosts       []string
	Cores       int // most at a time
}

// ReadTimes reads the log of a study. A line that is cut short, as a killed
// run leaves it, is passed over.
func ReadTimes(dir string) (Times, error) {
	var t Times
	f, err := os.Open(filepath.Join(dir, "log.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	defer f.Close()
	type period struct{ from, to time.Time }
	runs := make(map[int]*period) // by process
	var order []int
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		from := e.Time.Add(-time.Duration(e.Seconds * float64(time.Second)))
		r, ok := runs[e.Process]
		if !ok {
			r = &period{from, e.Time}
			runs[e.Process] = r
			order = append(order, e.Process)
		}
		if from.Before(r.from) {
			r.from = from
		}
		if e.Time.After(r.to) {
			r.to = e.Time
		}
		if !slices.Contains(t.Hosts, e.Host) {
			t.Hosts = append(t.Hosts, e.Host)
		}
		t.Cores = max(t.Cores, e.Cores)
	}
	for i, process := range order {
		r := runs[process]
		t.Wall += r.to.Sub(r.from)
		if i == 0 || r.from.Before(t.First) {
			t.First = r.from
		}
		if r.to.After(t.Last) {
			t.Last = r.to
		}
	}
	return t, lines.Err()
}
