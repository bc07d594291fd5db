package cmd

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A table that never ends is refused before it takes the last of the memory.
func TestLongEndlessTable(t *testing.T) {
	if os.Getenv("SML_LONG") == "" {
		t.Skip("takes minutes: make test-long runs it")
	}
	for _, producer := range []string{"yes 1,2", "yes 1,2 | gzip -1"} {
		c := exec.Command("sh", "-c", `ulimit -v 3000000; `+producer+` | sml train --quiet --data /dev/stdin --out m`)
		c.Dir = t.TempDir()
		out, err := c.CombinedOutput()
		if code := exitCode(err); code != exitFailed || !strings.Contains(string(out), "the table does not fit into memory") {
			t.Errorf("%s: exit code %d\n%.500s", producer, code, out)
		}
	}
}
