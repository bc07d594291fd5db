package cluster

import (
	"embed"
	"encoding/json"
	"strings"
	"text/template"
	"time"

	"go.yaml.in/yaml/v3"
)

// gracePeriod is the time that a task has to write checkpoints: Slurm interrupts a task gracePeriod
// before its time limit, and Kubernetes ends a pod gracePeriod after it has interrupted it.
const gracePeriod = 60 * time.Second

//go:embed job.sh job.yaml
var templateFiles embed.FS

// templates are the manifest of Kubernetes, job.yaml, and the scripts of Slurm, "array" and "report". They look
// like their output.
var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"quote":   quoteWords,
	"scalar":  scalar,
	"flow":    flow,
	"literal": literal,
}).ParseFS(templateFiles, "job.sh", "job.yaml"))

// jobValues are the values of all templates.
type jobValues struct {
	Work
	Name      string // name of the job
	Tasks     int
	AtOnce    int   // tasks that run at the same time
	Mebibytes int64 // memory of a task; 0 for the cluster's default
	Grace     int   // gracePeriod in seconds
	Variables []variable
	Options   []string   // further options of sbatch, as directives
	Pods      Kubernetes // options of Kubernetes
}

// variable is a variable of the environment.
type variable struct{ Name, Value string }

// newJobValues returns the values of work, without options of a cluster.
func newJobValues(w Work) jobValues {
	v := jobValues{
		Work:   w,
		Name:   w.name,
		Tasks:  w.tasks,
		AtOnce: w.tasks,
		Grace:  int(gracePeriod.Seconds()),
	}
	if w.Parallel > 0 {
		v.AtOnce = min(w.tasks, w.Parallel)
	}
	if w.Memory != "" {
		v.Mebibytes, _ = parseMebibytes(w.Memory) // Work.Check has parsed it
	}
	for _, assignment := range w.Env {
		name, value, _ := strings.Cut(assignment, "=")
		v.Variables = append(v.Variables, variable{name, value})
	}
	return v
}

// execute returns the text of a template.
func (v jobValues) execute(name string) (string, error) {
	var text strings.Builder
	err := templates.ExecuteTemplate(&text, name, v)
	return text.String(), err
}

// scalar returns a text as YAML writes it on one line, in quotes where it needs them.
func scalar(text string) (string, error) {
	if strings.ContainsAny(text, "\n\r") { // YAML would write several lines
		encoded, err := json.Marshal(text) // which is YAML, too
		return string(encoded), err
	}
	encoded, err := yaml.Marshal(text)
	return strings.TrimSuffix(string(encoded), "\n"), err
}

// flow returns a list of one text as YAML writes it on one line.
func flow(text string) (string, error) {
	list := yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	list.Content = []*yaml.Node{{Kind: yaml.ScalarNode, Value: text, Tag: "!!str"}}
	encoded, err := yaml.Marshal(&list)
	return strings.TrimSuffix(string(encoded), "\n"), err
}

// literal escapes $(NAME) in a text, which Kubernetes would replace by the value of a variable.
func literal(text string) string { return strings.ReplaceAll(text, "$(", "$$(") }
