package cmd

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"sml/internal/expect"
)

// skipIfShort skips a test of whole trainings by the program in a short run, which people start at every edit (make short). make
// test and make ci have no short run of this package.
func skipIfShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole trainings take too long for a run at every edit: make test and make ci run them")
	}
}

// runSML runs the program in this process and returns its output. The test fails if the program
// does.
func runSML(t testing.TB, in io.Reader, args ...string) []byte {
	t.Helper()
	var out, errOut bytes.Buffer
	if code := Run(context.Background(), append([]string{"sml"}, args...), in, &out, &errOut); code != exitDone {
		t.Fatalf("sml %s ends with %d: %s", strings.Join(args, " "), code, errOut.String())
	}
	return out.Bytes()
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	text := expect.Must(os.ReadFile(path))
	return text
}

func readCSV(t testing.TB, text []byte) [][]string {
	t.Helper()
	rows := expect.Must(csv.NewReader(bytes.NewReader(text)).ReadAll())
	return rows
}

// unmarshal decodes the JSON output of a command.
func unmarshal(t testing.TB, text []byte, value any) {
	t.Helper()
	expect.NoError(t, json.Unmarshal(text, value))
}
