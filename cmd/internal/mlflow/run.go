// Package mlflow writes trainings as runs of MLflow's file store, which the user interface and
// the clients of MLflow read. Start with Run. The package neither needs MLflow nor talks to its server.
//
// The layout follows mlflow/store/tracking/file_store.py of MLflow 1.29 to 2.x: each experiment
// has a folder with a meta.yaml, and in it each run has a folder with a meta.yaml and a file for
// each parameter, metric and tag. Names follow the rules of mlflow/utils/validation.py.
package mlflow

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sml/internal/safefile"
	"sml/internal/texts"
)

// Run is a finished training. Names may be any texts. Write replaces characters that MLflow does not accept.
type Run struct {
	// Content identifies the run: a training with the same content is the same run.
	Content []byte

	Name       string
	Experiment string // name of the experiment; its runs are shown side by side
	Start, End time.Time

	Params, Tags []Entry // Write adds the tags mlflow.runName and mlflow.source.type
	Metrics      []Metric
	Artifacts    []Artifact
}

// Entry is a parameter or a tag.
type Entry struct{ Name, Value string }

// Metric is a score, with one value or one for each epoch.
type Metric struct {
	Path   []string // parts of its name, by which MLflow groups metrics
	Points []Point
}

// Point is a value of a metric at a step.
type Point struct {
	Step  int     // such as the epoch; 0 for a metric with one value
	Value float64 // may be infinite or NaN
}

// Artifact is a file of a run, such as a picture.
type Artifact struct {
	Path  string                // path below the run's artifacts, with slashes on every system
	Write func(io.Writer) error // writes the file's content
}

// id returns the ID of the run: a checksum of its content, with as many digits as a UUID, since MLflow
// uses UUIDs as IDs.
func (r Run) id() string {
	const uuidBytes = 16
	sum := sha256.Sum256(r.Content)
	return fmt.Sprintf("%x", sum[:uuidBytes])
}

// Maximum lengths in characters. MLflow accepts longer parts of names, but no names of more than 250 characters.
const (
	maxPartLength           = 100  // of a part of a name, which is the name of a file or folder
	maxValueLength          = 6000 // of a parameter's value
	maxExperimentNameLength = 500
)

// validPart returns a valid part of a name for a text. It replaces characters that MLflow does not
// accept by "_", puts "_" before a text of dots alone (a path to another folder), and cuts long texts.
func validPart(text string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-. ", r) {
			return r
		}
		return '_'
	}, text)
	if strings.Trim(name, ".") == "" {
		return "_" + name
	}
	characters := []rune(name)
	return string(characters[:min(len(characters), maxPartLength)])
}

// Write writes the run into a folder below root and returns the folder. It creates root if
// necessary, and keeps a run that exists already. If Write fails, no part of the run is left.
func (r Run) Write(root string) (dir string, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return "", err
	}
	// MLflow expects the experiment "Default" in every file store.
	const (
		defaultID   = "0"
		defaultName = "Default"
	)
	if err := r.createExperiment(root, defaultID, defaultName); err != nil {
		return "", err
	}
	id := experimentID(r.Experiment)
	if err := r.createExperiment(root, id, r.Experiment); err != nil {
		return "", err
	}
	dir = filepath.Join(root, id, r.id())
	err = safefile.WriteDir(dir, nil, func(fresh string) error { return r.writeFiles(fresh, dir) })
	if errors.Is(err, fs.ErrExist) { // the same content: the same run
		err = nil
	}
	return dir, err
}

// experimentID returns the ID of the experiment with a name: a number made from a checksum of the name,
// so that all runs of an experiment have the same ID.
func experimentID(name string) string {
	const ( // numbers with 18 digits, like the IDs that MLflow assigns
		smallest = 1e17
		count    = 9e17
	)
	sum := sha256.Sum256([]byte(name))
	offset := binary.BigEndian.Uint64(sum[:]) % count
	return strconv.FormatUint(smallest+offset, 10)
}

// createExperiment creates the folder of an experiment in the file store root, unless it exists. The
// run's start becomes the experiment's time of creation.
func (r Run) createExperiment(root, id, name string) error {
	dir := filepath.Join(root, id)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	path := filepath.Join(dir, metaFile)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err // nil if the file exists
	}
	meta := formatMeta([]field{
		{"artifact_location", fileURI(dir)},
		{"creation_time", r.Start.UnixMilli()},
		{"experiment_id", id},
		{"last_update_time", r.Start.UnixMilli()},
		{"lifecycle_stage", "active"},
		{"name", texts.Shorten(name, maxExperimentNameLength)},
	})
	err := safefile.Create(path, safefile.WriteBytes(meta))
	if errors.Is(err, fs.ErrExist) { // another training has created it in the meantime
		return nil
	}
	return err
}

// metaFile is the name of the file that describes an experiment or a run.
const metaFile = "meta.yaml"

// writeFiles writes the files of the run into the existing folder fresh. dir is the folder to which
// fresh is moved afterwards.
func (r Run) writeFiles(fresh, dir string) error {
	for _, folder := range []string{"params", "metrics", "tags", "artifacts"} {
		if err := os.Mkdir(filepath.Join(fresh, folder), 0o777); err != nil {
			return err
		}
	}
	for _, file := range r.files() {
		if err := createFile(fresh, file.Path, file.Write); err != nil {
			return err
		}
	}
	return createFile(fresh, metaFile, safefile.WriteBytes(r.formatMeta(dir)))
}

// files returns the files of the run: one for each parameter, tag, metric and artifact.
func (r Run) files() []Artifact {
	var files []Artifact
	taken := make(map[string]bool) // paths of files
	add := func(content []byte, folder string, parts ...string) {
		file := folder
		for _, part := range parts {
			file += "/" + validPart(part)
		}
		for taken[file] { // different names may become the same valid name
			file += "_"
		}
		taken[file] = true
		files = append(files, Artifact{Path: file, Write: safefile.WriteBytes(content)})
	}
	for _, p := range r.Params {
		add([]byte(texts.Shorten(p.Value, maxValueLength)), "params", p.Name)
	}
	add([]byte(r.Name), "tags", "mlflow.runName")
	add([]byte("LOCAL"), "tags", "mlflow.source.type")
	for _, t := range r.Tags {
		add([]byte(t.Value), "tags", t.Name)
	}
	for _, m := range r.Metrics {
		add(m.format(r.End), "metrics", m.Path...)
	}
	for _, a := range r.Artifacts {
		files = append(files, Artifact{Path: "artifacts/" + a.Path, Write: a.Write})
	}
	return files
}

// createFile creates a file of a run in dir. name has slashes between its parts, and each part but the
// last becomes a folder.
func createFile(dir, name string, write func(io.Writer) error) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return safefile.Create(path, write)
}

// format returns the content of the metric's file: a line "TIME VALUE STEP" for each point. All points
// have the same time, as trainings do not record when an epoch ended.
func (m Metric) format(end time.Time) []byte {
	var lines []byte
	for _, p := range m.Points {
		lines = fmt.Appendf(lines, "%d %s %d\n", end.UnixMilli(), strconv.FormatFloat(p.Value, 'g', -1, 64), p.Step)
	}
	return lines
}

// formatMeta returns the content of the meta.yaml of the run in the folder dir.
func (r Run) formatMeta(dir string) []byte {
	const (
		finished = 3 // a value of MLflow's RunStatus
		local    = 4 // a value of MLflow's SourceType
	)
	return formatMeta([]field{
		{"artifact_uri", fileURI(filepath.Join(dir, "artifacts"))},
		{"deleted_time", nil},
		{"end_time", r.End.UnixMilli()},
		{"entry_point_name", ""},
		{"experiment_id", experimentID(r.Experiment)},
		{"lifecycle_stage", "active"},
		{"run_id", r.id()},
		{"run_name", r.Name},
		{"run_uuid", r.id()},
		{"source_name", ""},
		{"source_type", local},
		{"source_version", ""},
		{"start_time", r.Start.UnixMilli()},
		{"status", finished},
		{"tags", []string{}},
		{"user_id", ""},
	})
}

// field is a line of a meta.yaml.
type field struct {
	name  string
	value any // text, number, nil or list of texts
}

// formatMeta encodes fields as YAML. It writes the values as JSON, which is valid YAML, and in which
// a text always has quotes: without them, YAML would read a text such as 1e5 as a number.
func formatMeta(fields []field) []byte {
	var text []byte
	for _, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			panic(err) // cannot happen: each value that a field may have has a JSON form
		}
		text = fmt.Appendf(text, "%s: %s\n", f.name, value)
	}
	return text
}

// fileURI returns the file URI of a folder with an absolute path.
func fileURI(dir string) string {
	path := filepath.ToSlash(dir)
	if !strings.HasPrefix(path, "/") { // a Windows path that begins with a drive
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
