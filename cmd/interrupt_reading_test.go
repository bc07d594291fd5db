//go:build unix

package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sml/internal/expect"
)

// interrupted runs the program until its context ends, which is soon, and wants it
// to end with that: these commands never end by themselves.
func interrupted(t *testing.T, in io.Reader, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	var out, errOut bytes.Buffer
	if code := Run(ctx, append([]string{"sml"}, args...), in, &out, &errOut); code != exitInterrupted {
		t.Errorf("sml %s: exit code %d\n%s%s", strings.Join(args, " "), code, &out, &errOut)
	}
}

// trainedModel trains a model of the inputs a and b.
func trainedModel(t *testing.T, dir string) string {
	t.Helper()
	table, model := filepath.Join(dir, "t.csv"), filepath.Join(dir, "m")
	writeFile(t, table, "a,b,y\n1,2,3\n2,1,4\n5,3,2\n")
	runSML(t, nil, "train", "--data", table, "--batch", "1", "--epochs", "1", "--hidden", "4", "--out", model)
	return model
}

// A pipe that nobody writes to, or that never ends, does not hold a command
// that is interrupted.
func TestInterruptedReading(t *testing.T) {
	skipIfShort(t)
	dir := t.TempDir()
	model := trainedModel(t, dir)
	pipe := filepath.Join(dir, "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(dir, "out")
	commands := [][]string{
		{"train", "--data", pipe, "--out", out}, {"predict", model, "--in", pipe}, {"predict", model, "--in", pipe, "--out", out},
		{"evaluate", model, "--data", pipe}, {"data", "describe", pipe},
	}
	for _, args := range commands {
		interrupted(t, nil, args...) // it cannot even be opened
	}
	writer := expect.Must(os.OpenFile(pipe, os.O_RDWR, 0))
	defer writer.Close()
	for _, args := range commands {
		interrupted(t, nil, args...)
	}
	in, _ := io.Pipe()
	interrupted(t, in, "predict", model, "--in", "-")
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}

// A producer that sends a row and waits for its prediction gets it.
func TestPredictionsComeAtOnce(t *testing.T) {
	model := trainedModel(t, t.TempDir())
	in, rows := io.Pipe()
	lines, out := io.Pipe()
	var errOut bytes.Buffer
	done := make(chan int)
	go func() {
		code := Run(context.Background(), []string{"sml", "predict", model, "--in", "-", "--format", "jsonl"}, in, out, &errOut)
		out.Close()
		done <- code
	}()
	answers := json.NewDecoder(lines)
	got := make(chan error)
	answer := func() error {
		var p map[string]float64
		if err := answers.Decode(&p); err != nil {
			return err
		}
		if len(p) != 7 { // mean, median, std, dropout_std, dropout_offset, lower and upper
			t.Errorf("got %v", p)
		}
		return nil
	}
	for _, row := range []string{"b,a\n1,2\n", "3,4\n", "5,1\n"} {
		io.WriteString(rows, row)
		go func() { got <- answer() }()
		select {
		case err := <-got:
			expect.NoError(t, err)
		case <-time.After(20 * time.Second):
			t.Fatal("no prediction while the producer waits")
		}
	}
	rows.Close()
	if code := <-done; code != exitDone {
		t.Error(code, errOut.String())
	}
}
