package cluster

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var submission = Submission{
	Format: 1, Engine: slurmName, Name: "sml-grid-0123abcd", Job: "17", Report: "18", Tasks: 12,
	Plan: strings.Repeat("0123abcd", 8), Submitted: time.Date(2026, 11, 22, 13, 0, 0, 0, time.UTC),
}

func TestSubmission(t *testing.T) {
	dir := t.TempDir()
	if s, err := readSubmission(dir); s != nil || err != nil {
		t.Fatalf("nothing was submitted, and there is %v, %v", s, err)
	}
	for _, s := range []Submission{submission, {Format: 1, Engine: kubernetesName, Name: "sml-a", Job: "sml-a", Namespace: "lab", Tasks: 1}} {
		if err := s.write(dir); err != nil {
			t.Fatal(err)
		}
		if got, err := readSubmission(dir); err != nil || *got != s {
			t.Errorf("read %v, %v; want %v", got, err, s)
		}
	}
	path := filepath.Join(dir, submissionFile)
	if err := os.WriteFile(path, make([]byte, maxSubmissionBytes+1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readSubmission(dir); err == nil {
		t.Error("a file of any size is read")
	}
}

// What a file has becomes arguments of other programs.
func TestSubmissionRefused(t *testing.T) {
	for of, change := range map[string]func(*Submission){
		"format":      func(s *Submission) { s.Format = 2 },
		"engine":      func(s *Submission) { s.Engine = "pbs" },
		"name":        func(s *Submission) { s.Name = "--all" },
		"job":         func(s *Submission) { s.Job = "--user=root" },
		"two jobs":    func(s *Submission) { s.Job = "17,18" },
		"report":      func(s *Submission) { s.Report = "x" },
		"namespace":   func(s *Submission) { s.Namespace = "-A" },
		"no tasks":    func(s *Submission) { s.Tasks = 0 },
		"more tasks":  func(s *Submission) { s.Tasks = 1 << 30 },
		"other names": func(s *Submission) { s.Engine = kubernetesName; s.Job = "UPPER" },
	} {
		s := submission
		change(&s)
		text, _ := json.Marshal(s)
		if _, err := decodeSubmission(text); err == nil {
			t.Errorf("%s: %s is taken", of, text)
		}
	}
}

func FuzzSubmission(f *testing.F) {
	text, _ := json.Marshal(submission)
	f.Add(text)
	f.Add([]byte(`{"format": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := decodeSubmission(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := decodeSubmission(again); err != nil || !other.Submitted.Equal(s.Submitted) {
			t.Errorf("%s became %s, which is %v, %v", text, again, other, err)
		}
	})
}

func TestJobName(t *testing.T) {
	for study, want := range map[string]string{
		"/a/grid":                        "sml-grid-0123abcd",
		"/a/My grid (2)":                 "sml-my-grid--2-0123abcd",
		"/a/größe":                       "sml-gr--e-0123abcd",
		"/":                              "sml-0123abcd",
		"/a/" + strings.Repeat("x-", 99): "sml-" + strings.Repeat("x-", 15) + "x-0123abcd",
	} {
		got := jobName(study, submission.Plan)
		if got != want || !labelDNS.MatchString(got+"-99999") {
			t.Errorf("%s: %q, want %q", study, got, want)
		}
	}
}
