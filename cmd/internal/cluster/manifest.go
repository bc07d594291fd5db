package cluster

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// unprivilegedUser is the number of the user and group that pods run as. The program's image has no
// other user.
const unprivilegedUser = 65532

// Names of the container and the volume in a pod.
const (
	containerName = "sml"
	volumeName    = "study"
)

// script returns the manifest of an Indexed Job, in YAML. Kubernetes runs a pod for each index
// of the job, and each pod one shard of the study.
func (e Kubernetes) script(w Work) (string, error) {
	parallel := w.tasks
	if w.Parallel > 0 {
		parallel = min(parallel, w.Parallel)
	}
	labels := map[string]string{ // names that Kubernetes recommends
		"app.kubernetes.io/name":     "sml",
		"app.kubernetes.io/instance": w.name,
	}
	m := manifest{
		APIVersion: "batch/v1",
		Kind:       "Job",
		Metadata:   metadata{Name: w.name, Namespace: e.Namespace, Labels: labels},
		Spec: jobSpec{
			CompletionMode:       "Indexed",
			Completions:          w.tasks,
			Parallelism:          parallel,
			BackoffLimitPerIndex: maxRetries,
			PodFailurePolicy:     failurePolicy(),
			Template:             podTemplate{Metadata: metadata{Labels: labels}, Spec: e.pod(w)},
		},
	}
	var b strings.Builder
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(m); err != nil {
		return "", err
	}
	return b.String(), encoder.Close()
}

// maxRetries is how often a pod that failed is started again, for each index.
const maxRetries = 3

// failurePolicy says what happens when a pod ends early. A pod that the cluster takes away
// (preemption, a drained node, an eviction) or interrupts is replaced, which does not count as a
// failure. Wrong arguments and failed cells would fail again, so their pods are not started again.
// After other failures, a pod is started again up to maxRetries times.
func failurePolicy() podFailurePolicy {
	const ( // exit codes of the program
		wrongArguments = 2
		failedCells    = 3
		interrupted    = 130
	)
	isTakenAway := podCondition{Type: "DisruptionTarget", Status: "True"}
	return podFailurePolicy{Rules: []failureRule{
		{Action: "Ignore", OnPodConditions: []podCondition{isTakenAway}},
		{Action: "Ignore", OnExitCodes: exitCodesIn(interrupted)},
		{Action: "FailIndex", OnExitCodes: exitCodesIn(wrongArguments, failedCells)},
	}}
}

// exitCodesIn returns the condition that the program's container ended with one of the exit codes.
func exitCodesIn(codes ...int) *exitCodes {
	return &exitCodes{ContainerName: containerName, Operator: "In", Values: codes}
}

// pod returns a pod without privileges that runs one task.
func (e Kubernetes) pod(w Work) podSpec {
	return podSpec{
		RestartPolicy:                 "Never",
		TerminationGracePeriodSeconds: int(gracePeriod.Seconds()),
		SecurityContext: podSecurity{
			RunAsNonRoot:        true,
			RunAsUser:           unprivilegedUser,
			RunAsGroup:          unprivilegedUser,
			FSGroup:             unprivilegedUser,
			FSGroupChangePolicy: "OnRootMismatch",
			SeccompProfile:      profile{Type: "RuntimeDefault"},
		},
		Containers: []podContainer{e.container(w)},
		Volumes:    []podVolume{{Name: volumeName, PersistentVolumeClaim: claimSource{ClaimName: e.Claim}}},
	}
}

// container returns the container that runs one task, with w.Env as its environment. It may use as much
// of the node as it requests, so that tasks do not slow each other down.
func (e Kubernetes) container(w Work) podContainer {
	needed := resources{CPU: strconv.Itoa(w.CPUs)}
	if w.Memory != "" {
		needed.Memory = fmt.Sprintf("%dMi", w.mebibytes())
	}
	var env []variable
	for _, assignment := range w.Env {
		name, value, _ := strings.Cut(assignment, "=")
		env = append(env, variable{Name: name, Value: literal(value)})
	}
	return podContainer{
		Name:       containerName,
		Image:      e.Image,
		Command:    []string{w.Program},
		Args:       taskArgs(w),
		WorkingDir: w.Dir,
		Env:        env,
		Resources:  requirements{Requests: needed, Limits: needed},
		SecurityContext: containerSecurity{
			ReadOnlyRootFilesystem: true,
			Capabilities:           capabilities{Drop: []string{"ALL"}},
		},
		VolumeMounts: []volumeMount{{Name: volumeName, MountPath: e.Mount}},
	}
}

// taskArgs returns the arguments of the program in a pod. They say only the number of shards: the
// program takes the index of its shard from the environment (see Shard).
func taskArgs(w Work) []string {
	args := []string{"study", "run", w.Study, "--shard", fmt.Sprintf("/%d", w.tasks)}
	args = append(args, w.runFlags()...)
	for i, a := range args {
		args[i] = literal(a)
	}
	if w.ShardsDir != "" {
		args = append(args, "--out", literal(w.ShardsDir)+"/$(JOB_COMPLETION_INDEX)")
	}
	return args
}

// literal escapes $(NAME) in a text, which Kubernetes would replace by the value of a variable.
func literal(text string) string { return strings.ReplaceAll(text, "$(", "$$(") }

// The fields of a Job of Kubernetes (batch/v1) that the manifest sets. Booleans that are left false
// forbid something, such as mounting the token of a service account.
type (
	manifest struct {
		APIVersion string   `yaml:"apiVersion"`
		Kind       string   `yaml:"kind"`
		Metadata   metadata `yaml:"metadata"`
		Spec       jobSpec  `yaml:"spec"`
	}
	metadata struct {
		Name      string            `yaml:"name,omitempty"`
		Namespace string            `yaml:"namespace,omitempty"`
		Labels    map[string]string `yaml:"labels"` // written in alphabetical order
	}
	jobSpec struct {
		CompletionMode       string           `yaml:"completionMode"`
		Completions          int              `yaml:"completions"`
		Parallelism          int              `yaml:"parallelism"`
		BackoffLimitPerIndex int              `yaml:"backoffLimitPerIndex"`
		PodFailurePolicy     podFailurePolicy `yaml:"podFailurePolicy"`
		Template             podTemplate      `yaml:"template"`
	}
	podFailurePolicy struct {
		Rules []failureRule `yaml:"rules"`
	}
	failureRule struct {
		Action          string         `yaml:"action"`
		OnPodConditions []podCondition `yaml:"onPodConditions,omitempty"`
		OnExitCodes     *exitCodes     `yaml:"onExitCodes,omitempty"`
	}
	podCondition struct {
		Type   string `yaml:"type"`
		Status string `yaml:"status"`
	}
	exitCodes struct {
		ContainerName string `yaml:"containerName"`
		Operator      string `yaml:"operator"`
		Values        []int  `yaml:"values,flow"`
	}
	podTemplate struct {
		Metadata metadata `yaml:"metadata"`
		Spec     podSpec  `yaml:"spec"`
	}
	podSpec struct {
		RestartPolicy                 string         `yaml:"restartPolicy"`
		TerminationGracePeriodSeconds int            `yaml:"terminationGracePeriodSeconds"`
		AutomountServiceAccountToken  bool           `yaml:"automountServiceAccountToken"`
		EnableServiceLinks            bool           `yaml:"enableServiceLinks"`
		SecurityContext               podSecurity    `yaml:"securityContext"`
		Containers                    []podContainer `yaml:"containers"`
		Volumes                       []podVolume    `yaml:"volumes"`
	}
	podSecurity struct {
		RunAsNonRoot        bool    `yaml:"runAsNonRoot"`
		RunAsUser           int     `yaml:"runAsUser"`
		RunAsGroup          int     `yaml:"runAsGroup"`
		FSGroup             int     `yaml:"fsGroup"`
		FSGroupChangePolicy string  `yaml:"fsGroupChangePolicy"`
		SeccompProfile      profile `yaml:"seccompProfile"`
	}
	profile struct {
		Type string `yaml:"type"`
	}
	podContainer struct {
		Name            string            `yaml:"name"`
		Image           string            `yaml:"image"`
		Command         []string          `yaml:"command,flow"`
		Args            []string          `yaml:"args"`
		WorkingDir      string            `yaml:"workingDir"`
		Env             []variable        `yaml:"env,omitempty"`
		Resources       requirements      `yaml:"resources"`
		SecurityContext containerSecurity `yaml:"securityContext"`
		VolumeMounts    []volumeMount     `yaml:"volumeMounts"`
	}
	variable struct {
		Name  string `yaml:"name"`
		Value string `yaml:"value"`
	}
	requirements struct {
		Requests resources `yaml:"requests"`
		Limits   resources `yaml:"limits"`
	}
	resources struct {
		CPU    string `yaml:"cpu"`
		Memory string `yaml:"memory,omitempty"`
	}
	containerSecurity struct {
		AllowPrivilegeEscalation bool         `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRootFilesystem   bool         `yaml:"readOnlyRootFilesystem"`
		Capabilities             capabilities `yaml:"capabilities"`
	}
	capabilities struct {
		Drop []string `yaml:"drop,flow"`
	}
	volumeMount struct {
		Name      string `yaml:"name"`
		MountPath string `yaml:"mountPath"`
	}
	podVolume struct {
		Name                  string      `yaml:"name"`
		PersistentVolumeClaim claimSource `yaml:"persistentVolumeClaim"`
	}
	claimSource struct {
		ClaimName string `yaml:"claimName"`
	}
)
