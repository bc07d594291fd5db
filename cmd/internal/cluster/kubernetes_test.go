package cluster

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var pods = Kubernetes{Image: "registry.example/sml:1", Claim: "studies", Mount: "/work"}

func inPod(w Work) Work {
	w.Program, w.Dir, w.Study = "/sml", "/work", "/work/grid"
	return w
}

// The manifests are held to the API's own types by the module in schema.
func TestKubernetesScript(t *testing.T) {
	text, err := pods.script(inPod(small()))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "small.yaml", text)
	full := pods
	full.Namespace = "lab"
	w := awkward("/work")
	w.name, w.Study = "sml-x-0123abcd", "/work/a: 'b' $(c)"
	if text, err = full.script(inPodButStudy(w)); err != nil {
		t.Fatal(err)
	}
	golden(t, "awkward.yaml", text)
}

// A value with line breaks, or with the letters of YAML, is one value.
func TestKubernetesValues(t *testing.T) {
	w := inPod(small())
	w.Program = "/a, b]"
	w.Env = []string{"LINES=a\nb: c", "NUMBER=1", "EMPTY="}
	text, err := pods.script(w)
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Command []string
						Env     []struct{ Name, Value string }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	container := job.Spec.Template.Spec.Containers[0]
	got := fmt.Sprintf("%q %q", container.Command, container.Env)
	if want := `["/a, b]"] [{"LINES" "a\nb: c"} {"NUMBER" "1"} {"EMPTY" ""}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func inPodButStudy(w Work) Work {
	study := w.Study
	w = inPod(w)
	w.Study = study
	return w
}

func TestKubernetesState(t *testing.T) {
	programs(t, map[string]string{"kubectl": `echo "$*" >> calls; cat > input; cat answer`})
	s := Submission{Format: 1, Engine: kubernetesName, Name: "sml-a", Job: "sml-a", Namespace: "lab", Tasks: 10}
	engine := submittedEngine(&s)
	for _, c := range []struct {
		answer string
		want   State
	}{
		{"", State{Forgotten: 10}},
		{`{"status": {}}`, State{Pending: 10}},
		{`{"status": {"active": 2, "succeeded": 3, "failedIndexes": "1,4-5"}}`, State{Pending: 2, Running: 2, Done: 3, Failed: 3}},
		{`{"status": {"succeeded": 3, "failedIndexes": "1", "conditions": [{"type": "Failed", "status": "True"}]}}`, State{Done: 3, Failed: 7}},
		{`{"status": {"succeeded": 10, "conditions": [{"type": "Complete", "status": "True"}]}}`, State{Done: 10}},
		{`{"status": {"succeeded": 2, "conditions": [{"type": "Complete", "status": "True"}]}}`, State{Done: 2}}, // a former job of fewer tasks
	} {
		os.WriteFile("answer", []byte(c.answer), 0o666)
		if got, err := engine.state(context.Background(), &s); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.answer, got, err, c.want)
		}
	}
	for _, bad := range []string{"no JSON", `{"status": {"failedIndexes": "5-1"}}`, `{"status": {"failedIndexes": "x"}}`, `{"status": {"failedIndexes": "1-99999999999"}}`} {
		os.WriteFile("answer", []byte(bad), 0o666)
		if got, err := engine.state(context.Background(), &s); err == nil {
			t.Errorf("%s: %+v", bad, got)
		}
	}
	os.WriteFile("answer", []byte(`{"status": {"active": 1}}`), 0o666)
	if _, err := pods.submit(context.Background(), inPod(small())); err == nil || !strings.Contains(err.Error(), "the cluster has a job sml-grid-0123abcd that has not ended") {
		t.Errorf("a job of that name runs: %v", err)
	}
	os.WriteFile("answer", nil, 0o666)
	os.Remove("calls")
	e := pods
	e.Namespace = "lab"
	w := inPod(small())
	got, err := e.submit(context.Background(), w)
	if err != nil || got.Job != w.name || got.Namespace != "lab" || got.Report != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if text, _ := e.script(w); read("input") != text {
		t.Errorf("kubectl was given %s", read("input"))
	}
	if err := e.cancel(context.Background(), got); err != nil {
		t.Error(err)
	}
	const remove = "delete job sml-grid-0123abcd --ignore-not-found --namespace lab\n"
	if want := "get job sml-grid-0123abcd --ignore-not-found --output=json --namespace lab\n" + remove + "create -f - --namespace lab\n" + remove; read("calls") != want {
		t.Errorf("kubectl was called with %s", strings.TrimSpace(read("calls")))
	}
}
