package cmd

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The commands that docs/data.md shows on raw tables are those of the script that runs
// them.
func TestDataPage(t *testing.T) {
	commands := func(path, prefix string, of func(string) string) (list []string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(of(string(text))) {
			if command, ok := strings.CutPrefix(line, prefix); ok {
				list = append(list, strings.TrimSpace(command))
			}
		}
		return list
	}
	shown := commands("../docs/data.md", "    ", func(text string) string {
		_, text, _ = strings.Cut(text, "## From raw tables to models\n")
		text, _, _ = strings.Cut(text, "\n## ")
		return text
	})
	run := commands("testdata/tables.txtar", "exec ", func(text string) string {
		text, _, _ = strings.Cut(text, "\n# Every other table")
		return text
	})
	if len(shown) == 0 || !slices.Equal(shown, run) {
		t.Errorf("docs/data.md shows\n%s\nand testdata/tables.txtar runs\n%s", strings.Join(shown, "\n"), strings.Join(run, "\n"))
	}
}
