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
	Format    int       `json:"format"`              // submissionFormat
	Engine    string    `json:"engine"`              // slurmName or kubernetesName
	Name      string    `json:"name"`                // name of the jobs
	Namespace string    `json:"namespace,omitempty"` // namespace of Kubernetes; "" for the namespace of kubectl's context
	Job       string    `json:"job"`                 // identifier that the cluster gave to the tasks' job
	Report    string    `json:"report,omitempty"`    // identifier of the job that reports; "" if there is none
	Tasks     int       `json:"tasks"`
	Plan      string    `json:"plan"` // checksum of the plan
	Submitted time.Time `json:"submitted"`
}

// submissionFile is the name of the submission's file in a study's directory.
const submissionFile = "submission.json"

const (
	submissionFormat   = 1        // version of the file's format
	maxSubmissionBytes = 64 << 10 // largest size of the file that is read
)

// newSubmission returns the record of work that an engine submits now. job is the cluster's
// identifier of the job.
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
	text, err := safefile.Read(path, maxSubmissionBytes)
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

// Forms of the identifiers of jobs. They become arguments of the cluster's programs, so a file with
// others, such as "--all", must be refused.
var (
	slurmID  = regexp.MustCompile(`^[1-9][0-9]{0,9}$`)
	labelDNS = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`) // label of RFC 1123
)

// decodeSubmission decodes and checks the content of a submission's file.
func decodeSubmission(text []byte) (*Submission, error) {
	var s Submission
	if err := strict.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Format != submissionFormat {
		return nil, fmt.Errorf("the submission has format %d, and this program knows format %d", s.Format, submissionFormat)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return &s, nil
}

// check returns an error if the engine is unknown, or if an identifier or the number of tasks is not
// valid.
func (s *Submission) check() error {
	var jobID *regexp.Regexp
	switch s.Engine {
	case slurmName:
		jobID = slurmID
	case kubernetesName:
		jobID = labelDNS
	default:
		return fmt.Errorf("the submission has engine %q: want slurm or kubernetes", s.Engine)
	}
	switch {
	case !labelDNS.MatchString(s.Name):
		return fmt.Errorf("the submission has name %q: want lower-case letters, digits and dashes", s.Name)
	case !jobID.MatchString(s.Job):
		return fmt.Errorf("the submission has job %q, which is not a job identifier of %s", s.Job, s.Engine)
	case s.Report != "" && !jobID.MatchString(s.Report):
		return fmt.Errorf("the submission has report %q, which is not a job identifier of %s", s.Report, s.Engine)
	case s.Namespace != "" && !labelDNS.MatchString(s.Namespace):
		return fmt.Errorf("the submission has namespace %q: want lower-case letters, digits and dashes", s.Namespace)
	case s.Tasks < 1 || s.Tasks > study.MaxShards:
		return fmt.Errorf("the submission has %d tasks: want 1 to %d", s.Tasks, study.MaxShards)
	}
	return nil
}

// jobName returns the name of a study's jobs, such as sml-grid-1a2b3c4d: the name of its directory and
// the beginning of its plan's checksum, so that no other job is mistaken for one of them. It is a label
// of RFC 1123, which Kubernetes wants: lower-case letters, digits and dashes.
func jobName(studyDir, planSum string) string {
	// Kubernetes allows 63 characters for the job's name and a task's index together.
	const (
		maxDirChars = 32
		sumChars    = 8
	)
	dirName := strings.ToLower(filepath.Base(studyDir))
	dirName = strings.Map(func(r rune) rune {
		isAllowed := r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if isAllowed {
			return r
		}
		return '-'
	}, dirName)
	dirName = dirName[:min(len(dirName), maxDirChars)] // ASCII now, so that no character is split
	dirName = strings.Trim(dirName, "-")
	if dirName != "" {
		dirName += "-"
	}
	return "sml-" + dirName + planSum[:min(len(planSum), sumChars)]
}
