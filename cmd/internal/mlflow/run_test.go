package mlflow

import (
	"io/fs"
	"math"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"sml/internal/expect"
	"sml/internal/safefile"
)

func example() Run {
	start := time.UnixMilli(1_700_000_000_123)
	return Run{
		Content: []byte("weights"), Name: "a \"model\": no. 7", Experiment: "two words.csv", Start: start, End: start.Add(3 * time.Second),
		Params: []Entry{{"learning_rate", "0.001"}, {"data.target", `["y"]`}, {"long", strings.Repeat("ä", 7000)}},
		Tags:   []Entry{{"version.go", "go1.26"}},
		Metrics: []Metric{
			{[]string{"training", "loss"}, []Point{{1, 0.5}, {2, math.NaN()}, {3, math.Inf(1)}, {4, 1e-9}}},
			{[]string{"test", "standardised", "rmse"}, []Point{{0, 0.25}}},
		},
		Artifacts: []Artifact{{"model/model.json", safefile.WriteBytes([]byte("{}"))}},
	}
}

// MLflow's rules for names: _VALID_PARAM_AND_METRIC_NAMES, _RUN_ID_REGEX and _EXPERIMENT_ID_REGEX
// of mlflow/utils/validation.py. Python's \w matches letters, digits and _.
var (
	nameRule       = regexp.MustCompile(`^[/\pL\pN_.\- ]*$`)
	runRule        = regexp.MustCompile(`^[a-zA-Z0-9][\w\-]{0,255}$`)
	experimentRule = regexp.MustCompile(`^[a-zA-Z0-9][\w\-]{0,63}$`)
)

// meta reads a meta.yaml, and checks that it has exactly these keys: the keys of Experiment and
// RunInfo in mlflow/entities, and for runs also the keys that _make_persisted_run_info_dict adds.
func meta(t *testing.T, file string, keys ...string) map[string]any {
	t.Helper()
	text := expect.Must(os.ReadFile(file))
	var m map[string]any
	if err := yaml.Unmarshal(text, &m); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, key := range keys {
		if _, ok := m[key]; !ok {
			t.Errorf("%s lacks %s", file, key)
		}
	}
	if len(m) != len(keys) {
		t.Errorf("%s: %v", file, m)
	}
	return m
}

func pathOf(t *testing.T, uri any) string {
	t.Helper()
	u, err := url.Parse(uri.(string))
	if err != nil || u.Scheme != "file" || u.Host != "" {
		t.Fatalf("%v is no address of a file: %v", uri, err)
	}
	return filepath.FromSlash(u.Path)
}

// The test reads a store as FileStore does: experiments and runs by their meta.yaml, whose IDs
// are the names of their folders, and a file for each parameter, metric and tag.
func TestLayout(t *testing.T) {
	root := filepath.Join(t.TempDir(), "ml runs")
	r := example()
	dir := expect.Must(r.Write(root))
	experiments, err := os.ReadDir(root)
	if err != nil || len(experiments) != 2 {
		t.Fatalf("%v, %v", experiments, err)
	}
	for _, e := range experiments {
		m := meta(t, filepath.Join(root, e.Name(), "meta.yaml"), "artifact_location", "creation_time", "experiment_id", "last_update_time", "lifecycle_stage", "name")
		if m["experiment_id"] != e.Name() || !experimentRule.MatchString(e.Name()) || m["lifecycle_stage"] != "active" || m["creation_time"] != 1_700_000_000_123 || pathOf(t, m["artifact_location"]) != filepath.Join(root, e.Name()) {
			t.Errorf("%v", m)
		}
		if want := map[bool]string{true: "Default", false: r.Experiment}[e.Name() == "0"]; m["name"] != want {
			t.Errorf("experiment %s is called %v", e.Name(), m["name"])
		}
	}
	m := meta(t, filepath.Join(dir, "meta.yaml"), "artifact_uri", "deleted_time", "end_time", "entry_point_name", "experiment_id", "lifecycle_stage", "run_id", "run_name", "run_uuid",
		"source_name", "source_type", "source_version", "start_time", "status", "tags", "user_id")
	if m["run_id"] != r.id() || m["run_uuid"] != r.id() || filepath.Base(dir) != r.id() || !runRule.MatchString(r.id()) || len(r.id()) != 32 || m["experiment_id"] != filepath.Base(filepath.Dir(dir)) {
		t.Errorf("%v", m)
	}
	if m["run_name"] != r.Name || m["status"] != 3 || m["source_type"] != 4 || m["start_time"] != 1_700_000_000_123 || m["end_time"] != 1_700_000_003_123 || m["user_id"] != "" || m["deleted_time"] != nil {
		t.Errorf("%v", m)
	}
	if text, err := os.ReadFile(filepath.Join(pathOf(t, m["artifact_uri"]), "model", "model.json")); err != nil || string(text) != "{}" {
		t.Errorf("%q, %v", text, err)
	}
	files := make(map[string]string)
	for _, kind := range []string{"params", "metrics", "tags"} {
		at := filepath.Join(dir, kind)
		filepath.WalkDir(at, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, _ := filepath.Rel(at, file)
			name = filepath.ToSlash(name)
			if !nameRule.MatchString(name) || path.Clean(name) != name || len(name) > 250 {
				t.Errorf("MLflow reads no %s of the name %q", kind, name)
			}
			text, err := os.ReadFile(file)
			files[kind+" "+name] = string(text)
			return err
		})
	}
	if len(files) != 3+2+3 || files["params learning_rate"] != "0.001" || files["tags mlflow.runName"] != r.Name || files["tags mlflow.source.type"] != "LOCAL" || len([]rune(files["params long"])) != 6000 {
		t.Errorf("%q", files)
	}
	// _get_metric_from_line: the time in milliseconds, the value, the step.
	var values []float64
	for i, line := range strings.Split(strings.TrimSpace(files["metrics training/loss"]), "\n") {
		fields := strings.Split(line, " ")
		if len(fields) != 3 || fields[0] != "1700000003123" || fields[2] != strconv.Itoa(i+1) {
			t.Fatalf("%q", line)
		}
		v := expect.Must(strconv.ParseFloat(fields[1], 64))
		values = append(values, v)
	}
	if len(values) != 4 || values[0] != 0.5 || !math.IsNaN(values[1]) || !math.IsInf(values[2], 1) || values[3] != 1e-9 || files["metrics test/standardised/rmse"] != "1700000003123 0.25 0\n" {
		t.Errorf("%v, %q", values, files["metrics test/standardised/rmse"])
	}
}

// Writing a run again changes neither the run nor other files in its experiment.
func TestAgain(t *testing.T) {
	root := t.TempDir()
	dir := expect.Must(example().Write(root))
	before := expect.Must(os.ReadFile(filepath.Join(dir, "meta.yaml")))
	later := example()
	later.Start, later.End = later.Start.Add(time.Hour), later.End.Add(time.Hour)
	again, err := later.Write(root)
	if err != nil || again != dir {
		t.Fatalf("%s, %v", again, err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "meta.yaml")); err != nil || string(after) != string(before) {
		t.Errorf("%s, %v", after, err)
	}
	later.Content = []byte("others")
	if other, err := later.Write(root); err != nil || other == dir || filepath.Dir(other) != filepath.Dir(dir) {
		t.Errorf("%s, %v", other, err)
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]string{"loss": "loss", "½ r²/σ": "_ r__σ", "a/b": "a_b", "..": "_..", "": "_", "log std (x)": "log std _x_", strings.Repeat("x", 300): strings.Repeat("x", 100)} {
		if got := validPart(text); got != want || !nameRule.MatchString(got) {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
	// Two names that differ only in characters that MLflow does not accept.
	r := Run{Params: []Entry{{"a$", "1"}, {"a#", "2"}}}
	if files := r.files(); files[0].Path != "params/a_" || files[1].Path != "params/a__" {
		t.Errorf("the files are %s and %s", files[0].Path, files[1].Path)
	}
}
