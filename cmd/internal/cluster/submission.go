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

// Submission records a study's jobs on a cluster. It is kept in the study's directory.
type Submission struct {
	Format    int       `json:"format"`
	Engine    string    `json:"engine"`
	Name      string    `json:"name"`                // name of the jobs
	Namespace string    `json:"namespace,omitempty"` // of Kubernetes; "" for the current one
	Job       string    `json:"job"`                 // the cluster's identifier of the tasks' job
	Report    string    `json:"report,omitempty"`    // the identifier of the job that reports; "" if there is none
	Tasks     int       `json:"tasks"`
	Plan      string    `json:"plan"` // checksum of the plan
	Submitted time.Time `json:"submitted"`
}

// submissionFile is the name of the submission's file in a study's directory.
const submissionFile = "submission.json"

const (
	submissionFormat = 1
	maxSubmission    = 64 << 10 // bytes of its file
)

func newSubmission(engine string, w Work, job string) *Submission {
	return &Submission{
		Format:    submissionFormat,
		Engine:    engine,
		Name:      w.name,
		Job:       job,
		Tasks:     w.tasks,
		Plan:      w.plan,
		Submitted: time.Now().UTC().Truncate(time.Second),
	}
}

// write writes the submission into a study's directory, and replaces an earlier one.
func (s *Submission) write(dir string) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return safefile.Replace(filepath.Join(dir, submissionFile), safefile.WriteBytes(append(text, '\n')))
}

// readSubmission reads the submission in a study's directory. It returns nil if nothing was
// submitted.
func readSubmission(dir string) (*Submission, error) {
	path := filepath.Join(dir, submissionFile)
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

// Forms of identifiers, which become arguments of the cluster's programs.
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
	id := map[string]*regexp.Regexp{slurmName: slurmID, kubernetesName: labelDNS}[s.Engine]
	switch {
	case id == nil:
		return nil, fmt.Errorf("the submission has engine %q: there is slurm, kubernetes", s.Engine)
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

// jobName returns the name of a study's jobs: its directory's name and the beginning of its
// plan's checksum, so that no other job is mistaken for one of them. Kubernetes allows 63
// characters for a name and a task's index together.
func jobName(study, sum string) string {
	const most = 32 // characters of the directory's name
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
