// Package mlflow writes trainings as MLflow keeps runs in files: a folder that its user
// interface and clients read. Nothing of MLflow is needed to write it.
//
// The layout is that of mlflow/store/tracking/file_store.py, of MLflow 1.29 to 2.x: for
// each experiment a folder with its meta.yaml, and in that for each run a folder with
// meta.yaml, and a file for each parameter, metric and tag. Names are held to
// mlflow/utils/validation.py.
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

// Run is a training that has ended. Names of parameters, metrics and tags are of
// letters, digits and "_.- ", parts of them with a slash between; Name makes such of any
// text.
type Run struct {
	ID         string // see IDOf
	Name       string
	Experiment string // its name: runs of one are shown side by side
	Start, End time.Time

	Params, Tags []Entry
	Metrics      []Metric
	Artifacts    []Artifact
}

// Entry is a text by its name.
type Entry struct{ Name, Value string }

// Metric is what something came to, once or over the epochs.
type Metric struct {
	Name   string
	Points []Point
}

// Point is a value of a metric, which may be infinite or not a number.
type Point struct {
	Step  int
	Value float64
}

// Artifact is a file of a run, at a path with slashes.
type Artifact struct {
	Path  string
	Write func(io.Writer) error
}

// IDOf is the ID of a run of which that is all that counts: a training that is done again
// is the same run.
func IDOf(content []byte) string {
	sum := sha256.Sum256(content)
	return fmt.Sprintf("%x", sum[:16]) // as many digits as a UUID has
}

// Lengths in characters; MLflow takes no longer ones.
const (
	longestName  = 250 // of a parameter, metric or tag
	longestPart  = 100 // of such a name, which has up to three: and of a file's name
	longestValue = 6000
)

// Name makes a part of a name of any text: what may not stand in one is "_".
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
	if letters := []rune(name); len(letters) > longestPart {
		return string(letters[:longestPart])
	}
	return name
}

// cut is a text of at most so many characters.
func cut(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}

// Write writes the run below root, which is made if there is none, and returns its
// folder. A run that is there already stays as it is. The run comes into being whole or
// not at all.
func (r Run) Write(root string) (dir string, err error) {
	if err := r.check(); err != nil {
		return "", err
	}
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	const byDefault = "0" // where clients put runs of no experiment
	for _, e := range []struct{ id, name string }{{byDefault, "Default"}, {experimentID(r.Experiment), r.Experiment}} {
		if err := r.experiment(root, e.id, e.name); err != nil {
			return "", err
		}
	}
	dir = filepath.Join(root, experimentID(r.Experiment), r.ID)
	err = safefile.WriteDir(dir, nil, func(fresh string) error { return r.fill(fresh, dir) })
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
			if names[e.Name] || !valid(e.Name) {
				return fmt.Errorf("the %s %q: want another name than others have, of letters, digits and \"_.- \", slashes between its parts", list.kind, e.Name)
			}
			names[e.Name] = true
		}
	}
	return nil
}

// valid tells whether a name is one that MLflow reads.
func valid(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if part == "" || Name(part) != part {
			return false
		}
	}
	return path.Clean(name) == name && len([]rune(name)) <= longestName
}

// experimentID is that of an experiment by its name, of as many digits as MLflow's own.
func experimentID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return strconv.FormatUint(1e17+binary.BigEndian.Uint64(sum[:])%9e17, 10)
}

// experiment makes the folder of an experiment, unless there is one.
func (r Run) experiment(root, id, name string) error {
	dir := filepath.Join(root, id)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	meta := filepath.Join(dir, metaFile)
	if _, err := os.Lstat(meta); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := safefile.Create(meta, safefile.Content(metaOf([]field{
		{"artifact_location", uri(dir)}, {"creation_time", r.Start.UnixMilli()}, {"experiment_id", id}, {"last_update_time", r.Start.UnixMilli()},
		{"lifecycle_stage", "active"}, {"name", cut(name, 500)},
	})))
	if errors.Is(err, fs.ErrExist) { // by another training
		return nil
	}
	return err
}

const metaFile = "meta.yaml"

// fill writes the files of a run that will be at dir.
func (r Run) fill(fresh, dir string) error {
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
		if err := put("params/"+p.Name, safefile.Content([]byte(cut(p.Value, longestValue)))); err != nil {
			return err
		}
	}
	for _, t := range append([]Entry{{"mlflow.runName", r.Name}, {"mlflow.source.type", "LOCAL"}}, r.Tags...) {
		if err := put("tags/"+t.Name, safefile.Content([]byte(t.Value))); err != nil {
			return err
		}
	}
	for _, m := range r.Metrics {
		var lines []byte
		for _, p := range m.Points {
			lines = fmt.Appendf(lines, "%d %s %d\n", r.End.UnixMilli(), strconv.FormatFloat(p.Value, 'g', -1, 64), p.Step)
		}
		if err := put("metrics/"+m.Name, safefile.Content(lines)); err != nil {
			return err
		}
	}
	for _, a := range r.Artifacts {
		if err := put("artifacts/"+a.Path, a.Write); err != nil {
			return err
		}
	}
	const finished, local = 3, 4 // of RunStatus and SourceType
	return put(metaFile, safefile.Content(metaOf([]field{
		{"artifact_uri", uri(filepath.Join(dir, "artifacts"))}, {"deleted_time", nil}, {"end_time", r.End.UnixMilli()}, {"entry_point_name", ""},
		{"experiment_id", experimentID(r.Experiment)}, {"lifecycle_stage", "active"}, {"run_id", r.ID}, {"run_name", r.Name}, {"run_uuid", r.ID},
		{"source_name", ""}, {"source_type", local}, {"source_version", ""}, {"start_time", r.Start.UnixMilli()}, {"status", finished}, {"tags", []string{}}, {"user_id", ""},
	})))
}

// field is a line of a meta.yaml.
type field struct {
	name  string
	value any
}

// metaOf writes fields as YAML, whose values are those of JSON: texts in quotes are never taken
// for numbers.
func metaOf(fields []field) []byte {
	var text []byte
	for _, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			panic(err) // texts and numbers
		}
		text = fmt.Appendf(text, "%s: %s\n", f.name, value)
	}
	return text
}

// uri is a folder as an address.
func uri(dir string) string {
	p := filepath.ToSlash(dir)
	if !strings.HasPrefix(p, "/") { // a drive
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
