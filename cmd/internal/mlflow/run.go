// Package mlflow writes trainings as runs of MLflow's file store, which the user interface and
// the clients of MLflow read. It does not need MLflow.
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
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sml/internal/safefile"
)

// Run is a finished training. The names of parameters, metrics and tags consist of parts with
// slashes between them. A part has letters, digits and "_.- "; Name turns any text into a part.
type Run struct {
	// Content identifies the run: a training with the same content is the same run.
	Content []byte

	Name       string
	Experiment string // name of the experiment; its runs are shown side by side
	Start, End time.Time

	Params, Tags []Entry
	Metrics      []Metric
	Artifacts    []Artifact
}

// Entry is a parameter or a tag.
type Entry struct{ Name, Value string }

// Metric is a score, with one value or one for each epoch.
type Metric struct {
	Name   string
	Points []Point
}

// Point is a value of a metric. The value may be infinite or NaN.
type Point struct {
	Step  int
	Value float64
}

// Artifact is a file of a run. Its path has slashes on every system.
type Artifact struct {
	Path  string
	Write func(io.Writer) error
}

// id returns the ID of the run, a checksum of its content.
func (r Run) id() string {
	sum := sha256.Sum256(r.Content)
	return fmt.Sprintf("%x", sum[:16]) // as many digits as a UUID has
}

// Maximum lengths that MLflow accepts, in characters.
const (
	maxNameLength  = 250 // name of a parameter, metric or tag
	maxPartLength  = 100 // part of a name, or name of a file
	maxValueLength = 6000
)

// Name returns a valid part of a name for a text. It replaces characters that MLflow does not
// accept by "_" and cuts long texts.
func Name(text string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-. ", r) {
			return r
		}
		return '_'
	}, text)
	if strings.Trim(name, ".") == "" {
		return "_" + name
	}
	if letters := []rune(name); len(letters) > maxPartLength {
		return string(letters[:maxPartLength])
	}
	return name
}

// cut returns a text cut to at most maxLength characters.
func cut(text string, maxLength int) string {
	if letters := []rune(text); len(letters) > maxLength {
		return string(letters[:maxLength-1]) + "…"
	}
	return text
}

// Write writes the run into a folder below root and returns the folder. It creates root if
// necessary, and keeps a run that exists already. If Write fails, no part of the run is left.
func (r Run) Write(root string) (dir string, err error) {
	if err := r.check(); err != nil {
		return "", err
	}
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	const defaultID = "0" // ID of the experiment for runs without one
	for _, e := range []struct{ id, name string }{{defaultID, "Default"}, {experimentID(r.Experiment), r.Experiment}} {
		if err := r.createExperiment(root, e.id, e.name); err != nil {
			return "", err
		}
	}
	dir = filepath.Join(root, experimentID(r.Experiment), r.id())
	err = safefile.WriteDir(dir, nil, func(fresh string) error { return r.writeFiles(fresh, dir) })
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return dir, err
}

func (r Run) check() error {
	var metrics []Entry
	for _, m := range r.Metrics {
		metrics = append(metrics, Entry{Name: m.Name})
	}
	for _, list := range []struct {
		kind    string
		entries []Entry
	}{{"parameter", r.Params}, {"tag", r.Tags}, {"metric", metrics}} {
		names := make(map[string]bool)
		for _, e := range list.entries {
			if names[e.Name] || !isValidName(e.Name) {
				return fmt.Errorf("the %s %q: want another name than others have, of letters, digits and \"_.- \", slashes between its parts", list.kind, e.Name)
			}
			names[e.Name] = true
		}
	}
	return nil
}

// isValidName reports whether MLflow accepts a name.
func isValidName(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if part == "" || Name(part) != part {
			return false
		}
	}
	return path.Clean(name) == name && len([]rune(name)) <= maxNameLength
}

// experimentID returns the ID of the experiment with a name. It has as many digits as the IDs
// that MLflow assigns.
func experimentID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return strconv.FormatUint(1e17+binary.BigEndian.Uint64(sum[:])%9e17, 10)
}

// createExperiment creates the folder of an experiment unless it exists.
func (r Run) createExperiment(root, id, name string) error {
	dir := filepath.Join(root, id)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	meta := filepath.Join(dir, metaFile)
	if _, err := os.Lstat(meta); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := safefile.Create(meta, safefile.WriteBytes(formatMeta([]field{
		{"artifact_location", uri(dir)}, {"creation_time", r.Start.UnixMilli()}, {"experiment_id", id}, {"last_update_time", r.Start.UnixMilli()},
		{"lifecycle_stage", "active"}, {"name", cut(name, 500)},
	})))
	if errors.Is(err, fs.ErrExist) { // another training was faster
		return nil
	}
	return err
}

const metaFile = "meta.yaml"

// writeFiles writes the files of the run into the folder fresh, which will be moved to dir.
func (r Run) writeFiles(fresh, dir string) error {
	put := func(name string, write func(io.Writer) error) error {
		file := filepath.Join(fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return safefile.Create(file, write)
	}
	for _, folder := range []string{"params", "metrics", "tags", "artifacts"} {
		if err := os.Mkdir(filepath.Join(fresh, folder), 0o777); err != nil {
			return err
		}
	}
	for _, p := range r.Params {
		if err := put("params/"+p.Name, safefile.WriteBytes([]byte(cut(p.Value, maxValueLength)))); err != nil {
			return err
		}
	}
	for _, t := range append([]Entry{{"mlflow.runName", r.Name}, {"mlflow.source.type", "LOCAL"}}, r.Tags...) {
		if err := put("tags/"+t.Name, safefile.WriteBytes([]byte(t.Value))); err != nil {
			return err
		}
	}
	for _, m := range r.Metrics {
		var lines []byte
		for _, p := range m.Points {
			lines = fmt.Appendf(lines, "%d %s %d\n", r.End.UnixMilli(), strconv.FormatFloat(p.Value, 'g', -1, 64), p.Step)
		}
		if err := put("metrics/"+m.Name, safefile.WriteBytes(lines)); err != nil {
			return err
		}
	}
	for _, a := range r.Artifacts {
		if err := put("artifacts/"+a.Path, a.Write); err != nil {
			return err
		}
	}
	const finished, local = 3, 4 // values of MLflow's RunStatus and SourceType
	return put(metaFile, safefile.WriteBytes(formatMeta([]field{
		{"artifact_uri", uri(filepath.Join(dir, "artifacts"))}, {"deleted_time", nil}, {"end_time", r.End.UnixMilli()}, {"entry_point_name", ""},
		{"experiment_id", experimentID(r.Experiment)}, {"lifecycle_stage", "active"}, {"run_id", r.id()}, {"run_name", r.Name}, {"run_uuid", r.id()},
		{"source_name", ""}, {"source_type", local}, {"source_version", ""}, {"start_time", r.Start.UnixMilli()}, {"status", finished}, {"tags", []string{}}, {"user_id", ""},
	})))
}

// field is a line of a meta.yaml.
type field struct {
	name  string
	value any
}

// formatMeta encodes fields as YAML. It writes the values as JSON, since YAML never reads a text in
// quotes as a number.
func formatMeta(fields []field) []byte {
	var text []byte
	for _, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			panic(err) // cannot happen: all values are texts and numbers
		}
		text = fmt.Appendf(text, "%s: %s\n", f.name, value)
	}
	return text
}

// uri returns the file URI of a folder.
func uri(dir string) string {
	p := filepath.ToSlash(dir)
	if !strings.HasPrefix(p, "/") { // a Windows path that begins with a drive
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
