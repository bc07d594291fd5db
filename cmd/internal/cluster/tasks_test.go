package cluster

import (
	"testing"
	"time"
)

func TestTasks(t *testing.T) {
	for _, c := range []struct {
		of   string
		b    remainingWork
		want int
	}{
		{"100 minutes of one core", remainingWork{Work: Work{CPUs: 1}, Seconds: 6000, Cells: 500, MaxTasks: 1000}, 10},
		{"a little more", remainingWork{Work: Work{CPUs: 1}, Seconds: 6001, Cells: 500, MaxTasks: 1000}, 11},
		{"four cores do it in a quarter", remainingWork{Work: Work{CPUs: 4}, Seconds: 6000, Cells: 500, MaxTasks: 1000}, 3},
		{"less than a task", remainingWork{Work: Work{CPUs: 1}, Seconds: 1, Cells: 500, MaxTasks: 1000}, 1},
		{"nothing, by the estimate", remainingWork{Work: Work{CPUs: 1}, Seconds: 0, Cells: 1, MaxTasks: 1000}, 1},
		{"long cells", remainingWork{Work: Work{CPUs: 1}, Seconds: 36000, Cells: 5, MaxTasks: 1000}, 5},
		{"long cells, each core with one", remainingWork{Work: Work{CPUs: 2}, Seconds: 36000, Cells: 5, MaxTasks: 1000}, 3},
		{"the site's limit", remainingWork{Work: Work{CPUs: 1}, Seconds: 6e6, Cells: 1e5, MaxTasks: 1000}, 1000},
		{"endless", remainingWork{Work: Work{CPUs: 1}, Seconds: 1e300, Cells: 1e5, MaxTasks: 1000}, 1000},
		{"full waves", remainingWork{Work: Work{CPUs: 1, Parallel: 4}, Seconds: 6000, Cells: 500, MaxTasks: 1000}, 12},
		{"full waves below a limit", remainingWork{Work: Work{CPUs: 1, Parallel: 4}, Seconds: 6000, Cells: 500, MaxTasks: 11}, 8},
		{"one wave", remainingWork{Work: Work{CPUs: 1, Parallel: 64}, Seconds: 6000, Cells: 500, MaxTasks: 1000}, 64},
		{"one wave of short tasks", remainingWork{Work: Work{CPUs: 1, Parallel: 64}, Seconds: 1200, Cells: 500, MaxTasks: 1000}, 20},
		{"no full wave", remainingWork{Work: Work{CPUs: 1, Parallel: 64}, Seconds: 6000, Cells: 3, MaxTasks: 1000}, 3},
	} {
		c.b.Length = 10 * time.Minute
		if got := c.b.divide(); got != c.want {
			t.Errorf("%s: %d tasks, want %d", c.of, got, c.want)
		}
	}
	b := remainingWork{Work: Work{CPUs: 2}, Seconds: 6000}
	if got := b.taskLength(5); got != 10*time.Minute {
		t.Errorf("a fifth of 100 minutes on two cores takes %v", got)
	}
}

func TestParseMebibytes(t *testing.T) {
	for text, want := range map[string]int64{
		"4G": 4096, "4Gi": 4096, "4GB": 4096, "4096": 4096, "4096M": 4096, "1T": 1 << 20, "2048K": 2, "2049K": 3,
	} {
		if got, err := parseMebibytes(text); err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "G", "4 G", "-4G", "4.5G", "0", "1K", "4X", "12345678", "9999999T"} {
		if got, err := parseMebibytes(text); err == nil {
			t.Errorf("%q is %d mebibytes", text, got)
		}
	}
}

// The forms are from sbatch's manual.
func TestParseLimit(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90":         90 * time.Minute,
		"90:30":      90*time.Minute + 30*time.Second,
		"2:30:10":    2*time.Hour + 30*time.Minute + 10*time.Second,
		"1-12":       36 * time.Hour,
		"1-12:30":    36*time.Hour + 30*time.Minute,
		"1-12:30:05": 36*time.Hour + 30*time.Minute + 5*time.Second,
		"2":          2 * time.Minute,
	} {
		if got, err := parseTimeLimit(text); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1", "1:59", "0:0:90", "-1", "1h", "1:2:3:4", "1-", "12 ", "INFINITE"} {
		if got, err := parseTimeLimit(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
