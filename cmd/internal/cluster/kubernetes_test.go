package cluster

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"sml/internal/expect"
)

var pods = Kubernetes{Image: "registry.example/sml:1", Claim: "studies", Mount: "/work"}

func inPod(w Work) Work {
	w.Program, w.Dir, w.Study = "/sml", "/work", "/work/grid"
	return w
}

// The manifests are held to the API's own types by the module in schema.
func TestKubernetesScript(t *testing.T) {
	golden(t, "small.yaml", expect.Must(pods.script(inPod(small()))))
	full := pods
	full.Namespace = "lab"
	w := awkward("/work")
	w.name, w.Study = "sml-x-0123abcd", "/work/a: 'b' $(c)"
	golden(t, "awkward.yaml", expect.Must(full.script(inPodButStudy(w))))
}

// A value with line breaks, or with the letters of YAML, is one value.
func TestKubernetesValues(t *testing.T) {
	w := inPod(small())
	w.Program = "/a, b]"
	w.Env = []string{"LINES=a\nb: c", "NUMBER=1", "EMPTY="}
	text := expect.Must(pods.script(w))
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
	expect.NoError(t, yaml.Unmarshal([]byte(text), &job))
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

func TestKubernetesSubmit(t *testing.T) {
	programs(t, map[string]string{"kubectl": `echo "$*" >> calls; cat > input; [ -e error ] || exit 0; cat error >&2; exit 1`})
	e := pods
	e.Namespace = "lab"
	w := inPod(small())
	got, err := e.submit(context.Background(), w)
	want := Submission{
		Engine: KubernetesName, Name: w.name, Namespace: "lab", Job: w.name, Tasks: 3,
		Watch:  "kubectl get job sml-grid-0123abcd --namespace lab",
		Cancel: "kubectl delete job sml-grid-0123abcd --namespace lab",
	}
	if err != nil || *got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if text, _ := e.script(w); read("input") != text {
		t.Errorf("kubectl was given %s", read("input"))
	}
	if got, want := read("calls"), "create -f - --namespace lab\n"; got != want {
		t.Errorf("kubectl was called with %s, want %s", got, want)
	}
	os.WriteFile("error", []byte(`Error from server (AlreadyExists): error when creating "STDIN": jobs.batch "x" already exists`), 0o666)
	if _, err := pods.submit(context.Background(), w); err == nil || !strings.HasSuffix(err.Error(), "delete the earlier job first: kubectl delete job sml-grid-0123abcd") {
		t.Errorf("a job of that name is there: %v", err)
	}
	os.WriteFile("error", []byte("Unable to connect to the server"), 0o666)
	if _, err := pods.submit(context.Background(), w); err == nil || err.Error() != "kubectl: Unable to connect to the server" {
		t.Errorf("no cluster answers: %v", err)
	}
}
