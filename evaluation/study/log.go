package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sml/internal/safefile"
)

// Logs of a study. Each shard has its own file, since machines that append to one file through
// a network mix their lines.
const (
	logFile = "log.jsonl"
	logsDir = "log" // logs of shards
)

// Machine describes the computer and the program versions of a run.
type Machine struct {
	Host     string `json:"host"`
	CPU      string `json:"cpu"`
	System   string `json:"system"` // operating system and architecture
	Cores    int    `json:"cores"`  // that the process may use
	Kernels  string `json:"kernels"`
	Go       string `json:"go"`
	Gorgonia string `json:"gorgonia"`
}

// logEntry is a line of the log. It stands for an ended cell.
type logEntry struct {
	Time    time.Time `json:"time"` // of the end
	Cell    string    `json:"cell"`
	Process int       `json:"process"`
	Worker  int       `json:"worker"` // of the process, from 0
	Seconds float64   `json:"seconds"`
	Failed  string    `json:"failed,omitempty"` // reason; "" if the cell is done
	Machine
}

// Bounds of a log.
const (
	maxLogBytes     = 1 << 30       // bytes: two million lines
	maxLineBytes    = 1 << 20       // bytes; a reason takes at most 60,000 of them
	maxSeconds = 1_000_000_000 // of a cell: thirty years
)

// logWriter appends lines to a log.
type logWriter struct {
	*os.File
	unfinished string // end of the log without a line end, as a killed writer leaves it
}

// openLog opens the log of a study, or of a shard, to append to it. A symbolic link in its
// place is removed and not followed: a study writes its own files only.
func openLog(dir string, s Shard) (*logWriter, error) {
	path := logPath(dir, s)
	if err := makeFolder(dir, filepath.Dir(path)); err != nil {
		return nil, err
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
	return &logWriter{File: f, unfinished: unfinished}, nil
}

// logPath returns the path of a shard's log, or of the study's if the shard is all of it.
func logPath(dir string, s Shard) string {
	if s == (Shard{}) {
		return filepath.Join(dir, logFile)
	}
	return filepath.Join(dir, logsDir, fmt.Sprintf("%d-of-%d.jsonl", s.I, s.N))
}

// unfinishedLine returns the end of a log after its last line end, or the last maxLineBytes
// bytes if these have no line end.
func unfinishedLine(path string) (string, error) {
	f, err := safefile.Open(path, maxLogBytes)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if f.Size() == 0 {
		return "", nil
	}
	end := make([]byte, min(f.Size(), maxLineBytes))
	if _, err := f.ReadAt(end, f.Size()-int64(len(end))); err != nil {
		return "", err
	}
	return string(end[bytes.LastIndexByte(end, '\n')+1:]), nil
}

func (w *logWriter) write(e logEntry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return w.writeLine(string(line))
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

// readLog calls use with each entry in the logs of a study, and with its line. It skips the
// incomplete lines of killed runs, and lines that no run writes.
func readLog(dir string, use func(e logEntry, line []byte)) error {
	paths, err := logPaths(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		f, err := safefile.Open(path, maxLogBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		err = readLines(f, func(line []byte) {
			var e logEntry
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

// logPaths lists the paths where a study may have logs.
func logPaths(dir string) ([]string, error) {
	paths := []string{filepath.Join(dir, logFile)}
	shards, err := os.ReadDir(filepath.Join(dir, logsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return paths, nil
	}
	for _, s := range shards {
		paths = append(paths, filepath.Join(dir, logsDir, s.Name()))
	}
	return paths, err
}

// readLines calls use with each line of at most maxLineBytes bytes.
func readLines(r io.Reader, use func(line []byte)) error {
	lines := bufio.NewReaderSize(r, maxLineBytes)
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
