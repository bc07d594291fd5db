package study

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sml/data/safefile"
)

const logFile = "log.jsonl"

// Machine is what a process computes on, and with.
type Machine struct {
	Host     string `json:"host"`
	CPU      string `json:"cpu"`
	System   string `json:"system"` // operating system and architecture
	Cores    int    `json:"cores"`  // that the process may use
	Kernels  string `json:"kernels"`
	Go       string `json:"go"`
	Gorgonia string `json:"gorgonia"`
}

// entry is a line of the log: a cell that was finished.
type entry struct {
	Time    time.Time `json:"time"`
	Cell    string    `json:"cell"`
	Process int       `json:"process"`
	Worker  int       `json:"worker"` // of the process, from 0
	Seconds float64   `json:"seconds"`
	Failed  string    `json:"failed,omitempty"`
	Machine
}

// Times are when and where a study was run, as its log tells.
type Times struct {
	First, Last time.Time     // of the first cell's start and the last cell's end
	Wall        time.Duration // without the time between one run and the next
	Machines    []Machine
}

// Bounds of a log.
const (
	maxLog     = 1 << 30       // bytes: two million lines
	maxLine    = 1 << 20       // bytes; a reason takes at most 60,000 of them
	maxSeconds = 1_000_000_000 // of a cell: thirty years
)

// openLog opens the log of a study to add to it. A symbolic link in its place
// is removed and not followed: a study writes its own files only.
func openLog(dir string) (*os.File, error) {
	path := filepath.Join(dir, logFile)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: the study's log would go there", path)
	}
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
}

// ReadTimes reads the log of a study. It passes over lines that are cut short, as
// a killed run leaves them, and those that no run can have written.
func ReadTimes(dir string) (Times, error) {
	var t Times
	f, err := safefile.Open(filepath.Join(dir, logFile), maxLog)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	defer f.Close()
	type process struct {
		host string
		id   int
	}
	type period struct{ from, to time.Time }
	runs := make(map[process]period)
	machines := make(map[Machine]bool)
	err = eachLine(f, func(line []byte) {
		var e entry
		if json.Unmarshal(line, &e) != nil || !(e.Seconds >= 0 && e.Seconds <= maxSeconds) {
			return
		}
		from := e.Time.Add(-time.Duration(e.Seconds * float64(time.Second)))
		id := process{e.Host, e.Process}
		r, ok := runs[id]
		if !ok || from.Before(r.from) {
			r.from = from
		}
		if e.Time.After(r.to) {
			r.to = e.Time
		}
		runs[id] = r
		if !machines[e.Machine] {
			machines[e.Machine] = true
			t.Machines = append(t.Machines, e.Machine)
		}
	})
	for _, r := range runs {
		t.Wall += r.to.Sub(r.from)
		if t.First.IsZero() || r.from.Before(t.First) {
			t.First = r.from
		}
		if r.to.After(t.Last) {
			t.Last = r.to
		}
	}
	return t, err
}

// eachLine calls use with each line that is not longer than maxLine.
func eachLine(r io.Reader, use func(line []byte)) error {
	lines := bufio.NewReaderSize(r, maxLine)
	tooLong := false
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			tooLong = true
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case !tooLong:
			use(line)
		}
		if err != nil {
			return nil
		}
		tooLong = false
	}
}
