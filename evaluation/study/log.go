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
	System   string `json:"system"`  // operating system and architecture
	Cores    int    `json:"cores"`   // number of cores that the process may use
	Kernels  string `json:"kernels"` // instruction set of the kernels, such as avx2
	Go       string `json:"go"`      // version of Go
	Gorgonia string `json:"gorgonia"`
}

// logEntry is a line of a log. A run writes one for each cell that it has ended.
type logEntry struct {
	Time    time.Time `json:"time"` // end of the cell
	Cell    string    `json:"cell"`
	Process int       `json:"process"`          // process ID on the machine
	Worker  int       `json:"worker"`           // index of the worker in the process, from 0
	Seconds float64   `json:"seconds"`          // time that the cell took
	Failed  string    `json:"failed,omitempty"` // reason of the failure; "" if the cell is done
	Machine
}

// Bounds of a log. They keep a damaged or foreign file from filling the memory.
const (
	maxLogBytes     = 1 << 30       // two million lines
	maxLineBytes    = 1 << 20       // the reason of a failure takes at most 60,000 of them
	maxEntrySeconds = 1_000_000_000 // thirty years
)

// logWriter appends lines to a log.
type logWriter struct {
	*os.File
	unfinished string // text after the last line end of the log, as a killed writer leaves it
}

// openLog opens the log of a study, or of a shard, to append to it. A symbolic link in its
// place is removed and not followed: a study writes its own files only.
func openLog(dir string, s Shard) (*logWriter, error) {
	path := logPath(dir, s)
	if err := makeFolder(dir, filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := prepareLogPath(path); err != nil {
		return nil, err
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

// prepareLogPath makes way for a log: it removes a symbolic link at its path. It returns an error if another kind of file, such as a
// directory, is in the log's place.
func prepareLogPath(path string) error {
	info, err := os.Lstat(path)
	if err != nil { // opening the log reports errors
		return nil
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return os.Remove(path)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is in the place of the study's log and is not a regular file; move it away", path)
	}
	return nil
}

// logPath returns the path of a shard's log, or of the study's log for the zero Shard.
func logPath(dir string, s Shard) string {
	if s == (Shard{}) {
		return filepath.Join(dir, logFile)
	}
	return filepath.Join(dir, logsDir, fmt.Sprintf("%d-of-%d.jsonl", s.I, s.N))
}

// unfinishedLine returns the text after the last line end of a log. If the last maxLineBytes bytes have no line end,
// it returns them.
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
	lineEnd := bytes.LastIndexByte(end, '\n') // −1 if there is none
	return string(end[lineEnd+1:]), nil
}

// write appends an entry.
func (w *logWriter) write(e logEntry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return w.writeLine(string(line))
}

// writeLine appends a line. If the log ends in the beginning of the same line, writeLine completes it: a join that was
// killed is repeated with the same lines. It ends any other unfinished line first.
func (w *logWriter) writeLine(line string) error {
	text, isSameLine := strings.CutPrefix(line, w.unfinished) // every line begins with ""
	if !isSameLine {
		text = "\n" + line
	}
	w.unfinished = ""
	_, err := w.WriteString(text + "\n")
	return err
}

// readLog calls visit with each entry in the logs of a study, and with its line. It skips the
// incomplete lines of killed runs, and lines that no run writes. The line is valid until visit returns.
func readLog(dir string, visit func(e logEntry, line []byte)) error {
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
			if json.Unmarshal(line, &e) == nil && e.Seconds >= 0 && e.Seconds <= maxEntrySeconds {
				visit(e, line)
			}
		})
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// logPaths returns the paths of the study's log, which may not exist, and of the logs of its shards.
func logPaths(dir string) ([]string, error) {
	paths := []string{filepath.Join(dir, logFile)}
	shardLogs, err := os.ReadDir(filepath.Join(dir, logsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return paths, nil
	}
	for _, file := range shardLogs {
		paths = append(paths, filepath.Join(dir, logsDir, file.Name()))
	}
	return paths, err
}

// readLines calls visit with each line of at most maxLineBytes bytes, and skips longer lines. The last line may have no
// line end. A line is valid until visit returns.
func readLines(r io.Reader, visit func(line []byte)) error {
	lines := bufio.NewReaderSize(r, maxLineBytes)
	isTooLong := false // whether the buffer was filled without an end of the current line
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			isTooLong = true
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !isTooLong {
			visit(line)
		}
		if err != nil { // the end of the file
			return nil
		}
		isTooLong = false
	}
}
