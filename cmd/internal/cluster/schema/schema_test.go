package schema

import (
	"os"
	"path/filepath"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// Every manifest is a Job without an unknown field or one of another type, its words
// are the API's, and it keeps what the API's documentation asks of fields together.
func TestManifests(t *testing.T) {
	paths, err := filepath.Glob("../testdata/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no manifests: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var j batch.Job
		if err := yaml.UnmarshalStrict(text, &j); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		s, pod := j.Spec, j.Spec.Template.Spec
		for what, ok := range map[string]bool{
			"it is a Job of batch/v1":                j.APIVersion == batch.SchemeGroupVersion.String() && j.Kind == "Job",
			"it is indexed":                          s.CompletionMode != nil && *s.CompletionMode == batch.IndexedCompletion,
			"an index is tried again":                s.BackoffLimitPerIndex != nil && *s.BackoffLimitPerIndex > 0,
			"there are no more pods than indexes":    *s.Parallelism >= 1 && *s.Parallelism <= *s.Completions,
			"a limit of 10⁵ needs no maximum":        *s.Completions <= 100_000,
			"failure rules need pods of one attempt": pod.RestartPolicy == core.RestartPolicyNever,
			"there is one container":                 len(pod.Containers) == 1,
			"nobody is root":                         *pod.SecurityContext.RunAsNonRoot && *pod.SecurityContext.RunAsUser > 0,
			"there is a seccomp profile":             pod.SecurityContext.SeccompProfile.Type == core.SeccompProfileTypeRuntimeDefault,
			"the group's policy is one":              *pod.SecurityContext.FSGroupChangePolicy == core.FSGroupChangeOnRootMismatch,
			"there is time to keep what was trained": *pod.TerminationGracePeriodSeconds >= 60,
			"no token is mounted":                    !*pod.AutomountServiceAccountToken,
		} {
			if !ok {
				t.Errorf("%s: not so: %s", path, what)
			}
		}
		c := pod.Containers[0]
		if c.SecurityContext == nil || *c.SecurityContext.AllowPrivilegeEscalation || !*c.SecurityContext.ReadOnlyRootFilesystem || c.SecurityContext.Capabilities.Drop[0] != "ALL" {
			t.Errorf("%s: the container may do more than it needs: %+v", path, c.SecurityContext)
		}
		if c.Resources.Requests.Cpu().IsZero() || c.Resources.Limits.Cpu().Cmp(*c.Resources.Requests.Cpu()) != 0 {
			t.Errorf("%s: it has %+v", path, c.Resources)
		}
		if len(pod.Volumes) != 1 || len(c.VolumeMounts) != 1 || pod.Volumes[0].Name != c.VolumeMounts[0].Name || pod.Volumes[0].PersistentVolumeClaim.ClaimName == "" {
			t.Errorf("%s: it has volumes %+v, mounted as %+v", path, pod.Volumes, c.VolumeMounts)
		}
		disrupted := false
		for _, r := range s.PodFailurePolicy.Rules {
			switch r.Action {
			case batch.PodFailurePolicyActionIgnore, batch.PodFailurePolicyActionFailIndex:
			default:
				t.Errorf("%s: a rule does %q", path, r.Action)
			}
			if (r.OnExitCodes == nil) == (len(r.OnPodConditions) == 0) {
				t.Errorf("%s: a rule has %+v and %+v, and not one of them", path, r.OnExitCodes, r.OnPodConditions)
			}
			if on := r.OnExitCodes; on != nil && (on.Operator != batch.PodFailurePolicyOnExitCodesOpIn || *on.ContainerName != c.Name) {
				t.Errorf("%s: a rule is on %+v", path, on)
			}
			for _, on := range r.OnPodConditions {
				disrupted = disrupted || on.Type == core.DisruptionTarget && on.Status == core.ConditionTrue
			}
		}
		if !disrupted {
			t.Errorf("%s: a disruption counts as a failure", path)
		}
	}
}
