package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"sml/evaluation/study"
	"sml/internal/safefile"
	"sml/internal/strict"
)

// Submission is what was handed to a cluster. It lies in the study's folder.
type Submission struct {
	Format    int       `json:"format"`
	Engine    string    `json:"engine"`
	Name      string    `json:"name"`                // of the jobs
	Namespace string    `json:"namespace,omitempty"` // of Kubernetes; "": the current one
	Job       string    `json:"job"`                 // what the cluster calls the tasks' job
	Report    string    `json:"report,omitempty"`    // and the one that reports; "": none
	Tasks     int       `json:"tasks"`
	Plan      string    `json:"plan"` // its sum
	Submitted time.Time `json:"submitted"`
}

// SubmissionFile is its name in a study's folder.
const SubmissionFile = "submission.json"

const (
	submissionFormat = 1
	maxSubmission    = 64 << 10 // bytes of its file
)

func newSubmission(engine string, w Work, job string) *Submission {
	return &Submission{Format: submissionFormat, Engine: engine, Name: w.Name, Job: job, Tasks: w.Tasks, Plan: w.Plan, Submitted: time.Now().UTC().Truncate(time.Second)}
}

// Write keeps the submission in a study's folder, in the place of an earlier one.
func (s *Submission) Write(dir string) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return safefile.Replace(filepath.Join(dir, SubmissionFile), safefile.Content(append(text, '\n')))
}

// ReadSubmission reads what a study's folder keeps. It is nil if nothing was submitted.
func ReadSubmission(dir string) (*Submission, error) {
	path := filepath.Join(dir, SubmissionFile)
	text, err := safefile.Read(path, maxSubmission)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, err := decodeSubmission(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// What a cluster calls jobs: these words become arguments of its programs.
var (
	slurmID  = regexp.MustCompile(`^[1-9][0-9]{0,9}$`)
	labelDNS = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`) // RFC 1123
)

func decodeSubmission(text []byte) (*Submission, error) {
	var s Submission
	if err := strict.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Format != submissionFormat {
		return nil, fmt.Errorf("the submission has format %d, and this program knows format %d", s.Format, submissionFormat)
	}
	id := map[string]*regexp.Regexp{SlurmName: slurmID, KubernetesName: labelDNS}[s.Engine]
	switch {
	case id == nil:
		return nil, fmt.Errorf("the submission has engine %q: there is %s", s.Engine, strings.Join(Names(), ", "))
	case !labelDNS.MatchString(s.Name):
		return nil, fmt.Errorf("the submission has name %q: want lower-case letters, digits and dashes", s.Name)
	case !id.MatchString(s.Job):
		return nil, fmt.Errorf("the submission's job %q is none of %s", s.Job, s.Engine)
	case s.Report != "" && !id.MatchString(s.Report):
		return nil, fmt.Errorf("the submission's report %q is no job of %s", s.Report, s.Engine)
	case s.Namespace != "" && !labelDNS.MatchString(s.Namespace):
		return nil, fmt.Errorf("the submission has namespace %q: want lower-case letters, digits and dashes", s.Namespace)
	case s.Tasks < 1 || s.Tasks > study.MaxShards:
		return nil, fmt.Errorf("the submission has %d tasks: want 1 to %d", s.Tasks, study.MaxShards)
	}
	return &s, nil
}

// JobName is what a study's jobs are called: after its folder, and by its plan's
// sum, so that no other job is taken for one of them. Of Kubernetes, a name and a
// task's number together have at most 63 characters.
func JobName(study, sum string) string {
	const most = 32
	name := strings.ToLower(filepath.Base(study))
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name)
	name = strings.Trim(name[:min(len(name), most)], "-")
	if name != "" {
		name += "-"
	}
	return "sml-" + name + sum[:min(len(sum), 8)]
}
