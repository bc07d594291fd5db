package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sml/internal/safefile"
)

// Logs of a study: each share has its own, since machines that write to one file through
// a network mix their lines.
const (
	logFile = "log.jsonl"
	logsDir = "log"
)

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

// logWriter appends lines to a log.
type logWriter struct {
	*os.File
	unfinished string // end of the log without a line end, as a killed writer leaves it
}

// writeLine appends a line. An unfinished line before it is completed if this line begins
// with it, and ended otherwise.
func (w *logWriter) writeLine(line string) error {
	before := ""
	if rest, ok := strings.CutPrefix(line, w.unfinished); ok {
		line = rest
	} else {
		before = "\n"
	}
	w.unfinished = ""
	_, err := w.WriteString(before + line + "\n")
	return err
}

// openLog opens the log of a study, or of a share of it, to append to it. A symbolic link
// in its place is removed and not followed: a study writes its own files only.
func openLog(dir string, s Shard) (*logWriter, error) {
	path := filepath.Join(dir, logFile)
	if s.N > 0 {
		path = s.log(dir)
		if err := ownFolder(dir, filepath.Dir(path)); err != nil {
			return nil, err
		}
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: the study's log would go there", path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	unfinished, err := unfinishedLine(path)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &logWriter{f, unfinished}, nil
}

// unfinishedLine returns the end of a log after its last line end, or the last maxLine
// bytes if these have none.
func unfinishedLine(path string) (string, error) {
	f, err := safefile.Open(path, maxLog)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if f.Size() == 0 {
		return "", nil
	}
	end := make([]byte, min(f.Size(), maxLine))
	if _, err := f.ReadAt(end, f.Size()-int64(len(end))); err != nil {
		return "", err
	}
	return string(end[bytes.LastIndexByte(end, '\n')+1:]), nil
}

// log is the path of a share's log.
func (s Shard) log(dir string) string {
	return filepath.Join(dir, logsDir, fmt.Sprintf("%d-of-%d.jsonl", s.I, s.N))
}

// logs lists the logs of a study.
func logs(dir string) ([]string, error) {
	shares, err := os.ReadDir(filepath.Join(dir, logsDir))
	paths := []string{filepath.Join(dir, logFile)}
	for _, s := range shares {
		paths = append(paths, filepath.Join(dir, logsDir, s.Name()))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return paths, err
}

// eachEntry reads the logs of a study. It passes over lines that are cut short, as a
// killed run leaves them, and those that no run can have written.
func eachEntry(dir string, use func(e entry, line []byte)) error {
	paths, err := logs(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		f, err := safefile.Open(path, maxLog)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = eachLine(f, func(line []byte) {
			var e entry
			if json.Unmarshal(line, &e) == nil && e.Seconds >= 0 && e.Seconds <= maxSeconds {
				use(e, line)
			}
		})
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadTimes reads the logs of a study.
func ReadTimes(dir string) (Times, error) {
	var t Times
	type process struct {
		host string
		id   int
	}
	runs := make(map[process]period)
	machines := make(map[Machine]bool)
	err := eachEntry(dir, func(e entry, _ []byte) {
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
	periods := slices.SortedFunc(maps.Values(runs), func(a, b period) int { return a.from.Compare(b.from) })
	for i, p := range periods {
		if i == 0 {
			t.First, t.Last = p.from, p.from
		}
		if p.to.After(t.Last) { // what runs do at the same time counts once
			begin := p.from
			if t.Last.After(begin) {
				begin = t.Last
			}
			t.Wall += p.to.Sub(begin)
			t.Last = p.to
		}
	}
	return t, err
}

// period is when a process ran.
type period struct{ from, to time.Time }

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
