//go:build kubernetes

package cmd

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// kubePod is the part of a pod that a node needs.
type kubePod struct {
	Metadata struct {
		Name              string            `json:"name"`
		Labels            map[string]string `json:"labels"`
		Annotations       map[string]string `json:"annotations"`
		DeletionTimestamp string            `json:"deletionTimestamp"` // "" if the pod is to stay
		DeletionGrace     int               `json:"deletionGracePeriodSeconds"`
	} `json:"metadata"`
	Spec struct {
		Containers []kubeContainer `json:"containers"`
		Volumes    []struct {
			Name  string `json:"name"`
			Claim struct {
				Name string `json:"claimName"`
			} `json:"persistentVolumeClaim"`
		} `json:"volumes"`
	} `json:"spec"`
}

type kubeContainer struct {
	Name    string   `json:"name"`
	Image   string   `json:"image"`
	Command []string `json:"command"`
	Args    []string `json:"args"`
	Dir     string   `json:"workingDir"`
	Env     []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
		From  struct {
			Field struct {
				Path string `json:"fieldPath"`
			} `json:"fieldRef"`
		} `json:"valueFrom"`
	} `json:"env"`
	Mounts []struct {
		Name string `json:"name"`
		Path string `json:"mountPath"`
	} `json:"volumeMounts"`
}

// Names that jobs give to labels and annotations of their pods.
const (
	kubeJobLabel     = "batch.kubernetes.io/job-name"
	kubeIndexLabel   = "batch.kubernetes.io/job-completion-index"
	kubeFailureCount = "batch.kubernetes.io/job-index-failure-count"
)

// kubeNode does the work of a kubelet: it runs each pod of its node as a process of this
// machine, reports to the API server how the process ends, and ends it when the pod is
// deleted.
type kubeNode struct {
	cluster kubeCluster
	stop    chan struct{} // closed at the end of the test
	tasks   sync.WaitGroup

	lock sync.Mutex
	runs []*kubeRun // in the order of their start
}

// kubeRun is the process of a pod.
type kubeRun struct {
	pod, job, index string
	failures        string      // number of failures of the index that were counted before
	process         *os.Process // nil before the start
	started         time.Time
	stopping        bool   // whether SIGTERM has been sent because the pod is deleted
	ended           bool   // whether the exit code is known
	exit            int    // exit code; of a signal 128 and its number, as container runtimes have it
	messages        string // standard error
}

// kubeNodeName is the name of the node, which has room for two pods of one core.
const kubeNodeName = "here"

// startKubeNode registers a node, which runs pods until the end of the test.
func startKubeNode(k kubeCluster) *kubeNode {
	k.t.Helper()
	type object = map[string]any
	k.create("/api/v1/nodes", object{"metadata": object{"name": kubeNodeName}})
	room := object{"cpu": "2", "memory": "8Gi", "pods": "20"}
	err := k.api.call(http.MethodPatch, "/api/v1/nodes/"+kubeNodeName+"/status", object{"status": object{
		"capacity":    room,
		"allocatable": room,
		"conditions":  []object{{"type": "Ready", "status": "True"}},
	}}, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	n := &kubeNode{cluster: k, stop: make(chan struct{})}
	n.tasks.Go(n.watch)
	k.t.Cleanup(n.close)
	return n
}

// watch looks after the node's pods until the node is closed.
func (n *kubeNode) watch() {
	for {
		select {
		case <-n.stop:
			return
		case <-time.After(100 * time.Millisecond):
		}
		var list struct {
			Items []kubePod `json:"items"`
		}
		err := n.cluster.api.call(http.MethodGet, "/api/v1/pods?fieldSelector=spec.nodeName="+kubeNodeName, nil, &list)
		if err != nil {
			n.cluster.t.Error(err)
			return
		}
		for _, p := range list.Items {
			n.look(p)
		}
	}
}

// look starts a new pod, and ends a deleted pod.
func (n *kubeNode) look(p kubePod) {
	n.lock.Lock()
	defer n.lock.Unlock()
	var r *kubeRun
	if i := slices.IndexFunc(n.runs, func(r *kubeRun) bool { return r.pod == p.Metadata.Name }); i >= 0 {
		r = n.runs[i]
	}
	deleted := p.Metadata.DeletionTimestamp != ""
	switch {
	case r == nil && !deleted:
		n.run(p)
	case deleted && (r == nil || r.ended):
		n.forget(p.Metadata.Name)
	case deleted && !r.stopping:
		r.stopping = true
		r.process.Signal(syscall.SIGTERM)
		grace := time.Duration(p.Metadata.DeletionGrace) * time.Second
		time.AfterFunc(grace, func() { r.process.Kill() }) // an error says that it has ended
	}
}

// run starts the process of a pod. The lock is held.
func (n *kubeNode) run(p kubePod) {
	container := p.Spec.Containers[0]
	r := &kubeRun{
		pod:      p.Metadata.Name,
		job:      p.Metadata.Labels[kubeJobLabel],
		index:    p.Metadata.Labels[kubeIndexLabel],
		failures: p.Metadata.Annotations[kubeFailureCount],
	}
	n.runs = append(n.runs, r)
	if err := n.mountVolumes(p); err != nil {
		n.cluster.t.Error(err)
		return
	}
	if !slices.Equal(container.Command, []string{"/sml"}) { // the image has nothing else
		n.cluster.t.Errorf("pod %s runs %q, want /sml", r.pod, container.Command)
		return
	}
	c := n.command(p, container)
	var messages bytes.Buffer
	c.Stderr = &messages
	n.setStatus(p, "Running", map[string]any{"running": map[string]any{}})
	if err := c.Start(); err != nil {
		n.cluster.t.Error(err)
		return
	}
	r.process, r.started = c.Process, time.Now()
	n.tasks.Go(func() {
		c.Wait() // an error is in the exit code, too
		exit := c.ProcessState.ExitCode()
		if status := c.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
			exit = 128 + int(status.Signal())
		}
		phase := "Succeeded"
		if exit != 0 {
			phase = "Failed"
		}
		n.setStatus(p, phase, map[string]any{"terminated": map[string]any{
			"exitCode":   exit,
			"finishedAt": time.Now().UTC().Format(time.RFC3339),
		}})
		n.lock.Lock()
		defer n.lock.Unlock()
		r.ended, r.exit, r.messages = true, exit, messages.String()
	})
}

// mountVolumes makes the volume visible at the paths at which the pod wants it.
func (n *kubeNode) mountVolumes(p kubePod) error {
	for _, m := range p.Spec.Containers[0].Mounts {
		for _, v := range p.Spec.Volumes {
			if v.Name != m.Name || v.Claim.Name != kubeClaim {
				continue
			}
			if err := os.Symlink(n.cluster.volume, m.Path); err != nil && !errors.Is(err, os.ErrExist) {
				return err
			}
		}
	}
	return nil
}

// kubeReference is a reference to a variable in a command, or two dollars for one.
var kubeReference = regexp.MustCompile(`\$\$|\$\([A-Za-z_][A-Za-z0-9_]*\)`)

// kubeField is a reference to a label or annotation of the pod.
var kubeField = regexp.MustCompile(`^metadata\.(labels|annotations)\['(.*)'\]$`)

// command returns the program with the arguments of a container, the variables that its
// manifest gives it, and no others.
func (n *kubeNode) command(p kubePod, container kubeContainer) *exec.Cmd {
	variables := make(map[string]string)
	expand := func(text string) string {
		return kubeReference.ReplaceAllStringFunc(text, func(found string) string {
			if found == "$$" {
				return "$"
			}
			if value, ok := variables[found[2:len(found)-1]]; ok {
				return value
			}
			return found
		})
	}
	var env []string
	for _, v := range container.Env {
		value := expand(v.Value)
		if field := kubeField.FindStringSubmatch(v.From.Field.Path); field != nil {
			from := p.Metadata.Labels
			if field[1] == "annotations" {
				from = p.Metadata.Annotations
			}
			value = from[field[2]]
		}
		variables[v.Name] = value
		env = append(env, v.Name+"="+value)
	}
	var args []string
	for _, a := range container.Args {
		args = append(args, expand(a))
	}
	c := exec.Command(n.cluster.program, args...)
	c.Dir, c.Env = container.Dir, env
	endWithParent(c)
	return c
}

// setStatus reports the state of a pod to the API server, unless the pod is gone.
func (n *kubeNode) setStatus(p kubePod, phase string, state map[string]any) {
	container := p.Spec.Containers[0]
	body := map[string]any{"status": map[string]any{
		"phase": phase,
		"containerStatuses": []map[string]any{{
			"name":    container.Name,
			"image":   container.Image,
			"imageID": "",
			"state":   state,
		}},
	}}
	n.report(n.cluster.api.call(http.MethodPatch, kubePodPath(p.Metadata.Name)+"/status", body, nil))
}

// forget removes a deleted pod, whose process has ended, from the API server.
func (n *kubeNode) forget(pod string) {
	n.report(n.cluster.api.call(http.MethodDelete, kubePodPath(pod), map[string]any{"gracePeriodSeconds": 0}, nil))
}

// report fails the test because of an error, unless the error says that the pod is gone.
func (n *kubeNode) report(err error) {
	if gone := (*kubeError)(nil); errors.As(err, &gone) && gone.status == http.StatusNotFound {
		return
	}
	if err != nil {
		n.cluster.t.Error(err)
	}
}

func kubePodPath(pod string) string { return "/api/v1/namespaces/default/pods/" + pod }

// close ends the node and its pods.
func (n *kubeNode) close() {
	close(n.stop)
	n.lock.Lock()
	for _, r := range n.runs {
		if r.process != nil {
			r.process.Kill()
		}
	}
	n.lock.Unlock()
	n.tasks.Wait()
	if !n.cluster.t.Failed() {
		return
	}
	for _, r := range n.runs {
		n.cluster.t.Logf("pod %s of index %s: exit code %d: %s", r.pod, r.index, r.exit, strings.TrimSpace(r.messages))
	}
}

// runsOf returns the runs of a job's pods, in the order of their start.
func (n *kubeNode) runsOf(job string) []kubeRun {
	n.lock.Lock()
	defer n.lock.Unlock()
	var runs []kubeRun
	for _, r := range n.runs {
		if r.job == job {
			runs = append(runs, *r)
		}
	}
	return runs
}
