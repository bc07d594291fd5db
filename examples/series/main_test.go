package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"sml/cmd"
)

func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut strings.Builder
	if code := cmd.Run(context.Background(), append([]string{"sml"}, args...), strings.NewReader(""), &out, &errOut); code != 0 {
		t.Fatalf("sml %s: exit code %d\n%s%s", strings.Join(args, " "), code, out.String(), errOut.String())
	}
	return out.String()
}

// What is registered outside of the module's packages is listed, trained on,
// studied, reported and asserted on like the rest.
func TestRegisteredFromOutside(t *testing.T) {
	dir := t.TempDir()
	if list := run(t, "data", "list"); !strings.Contains(list, "waves             two waves") {
		t.Errorf("listed are\n%s", list)
	}
	trained := run(t, "train", "--data", "waves", "--split", "blocks", "--fold", "4", "--epochs", "2", "--hidden", "8", "--out", filepath.Join(dir, "m"))
	if !strings.Contains(trained, "trained on 400 of the 500 rows of waves") {
		t.Error(trained)
	}
	study := filepath.Join(dir, "study")
	if plan := run(t, "study", "plan", study, "--datasets", "waves", "--methods", "mc", "--splits", "random,blocks", "--epochs", "2", "--width", "4"); !strings.Contains(plan, "15 cells") {
		t.Errorf("of ten random folds and all five blocks: %s", plan)
	}
	run(t, "study", "run", study, "--quiet")
	if listed := run(t, "measures"); !strings.Contains(listed, "max |μ − y|") {
		t.Errorf("measures are\n%s", listed)
	}
	args := []string{"study", "report", study, "--assert", "mc/waves/test/worst<100"}
	for _, split := range []string{"train", "test", "blocks-within", "blocks-beyond"} {
		args = append(args, "--assert", "mc/waves/"+split+"/rmse<100")
	}
	run(t, args...)
}
