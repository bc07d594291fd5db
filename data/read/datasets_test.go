package read

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// isolate gives a test its own $SML_DATA and user cache directory.
func isolate(t *testing.T) (env, cache string) {
	t.Helper()
	env, home := t.TempDir(), t.TempDir()
	t.Setenv("SML_DATA", env)
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} { // which of them counts depends on the system
		t.Setenv(name, home)
	}
	cache = expect.Must(os.UserCacheDir())
	cache = filepath.Join(cache, "sml")
	expect.NoError(t, os.MkdirAll(cache, 0o700))
	return env, cache
}

func TestLocate(t *testing.T) {
	env, cache := isolate(t)
	dir := t.TempDir()
	locate := func(dir, want string) {
		t.Helper()
		if got, err := Locate("yacht", dir); err != nil || got != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	put := func(parts ...string) string {
		t.Helper()
		path := filepath.Join(parts...)
		expect.NoError(t, os.WriteFile(path, nil, 0o600))
		return path
	}

	_, err := Locate("yacht", "")
	for _, part := range []string{filepath.Join(env, "yacht.csv"), filepath.Join(cache, "yacht.csv.gz"), "$SML_DATA"} {
		expect.Error(t, err, part)
	}
	locate("", put(cache, "yacht.csv.gz"))
	locate("", put(env, "yacht.csv.gz"))
	locate("", put(env, "yacht.csv")) // the plain file goes before the zipped one
	if _, err := Locate("yacht", dir); err == nil || strings.Contains(err.Error(), env) {
		t.Errorf("a folder that is given is the only one looked in, got %v", err)
	}
	locate(dir, put(dir, "yacht.csv"))
	t.Setenv("SML_DATA", "")
	locate("", filepath.Join(cache, "yacht.csv.gz"))
	_, err = Locate("../yacht", dir)
	expect.Error(t, err, "want one of yacht")
}

func TestLoad(t *testing.T) {
	env, _ := isolate(t)
	write := func(name, head string, columns, rows int) {
		t.Helper()
		var text strings.Builder
		for j := range columns {
			fmt.Fprintf(&text, "c%d,", j+1)
		}
		text.WriteString(head + "\n")
		for i := range rows {
			text.WriteString(strings.Repeat(fmt.Sprint(i, ","), columns) + fmt.Sprintln(-i))
		}
		expect.NoError(t, os.WriteFile(filepath.Join(env, name+".csv"), []byte(text.String()), 0o600))
	}
	write("abalone", "rings", 7, 4177)
	for protocol, first := range map[data.Protocol]float64{data.Paper: 1, data.Sound: 0} {
		got := expect.Must(Dataset(ctx, "abalone", "", protocol, 1, Options{}))
		if got.Name != "abalone" || got.Rows() != 4177-int(first) || len(got.Y) != got.Rows() || got.X[0] != first || got.Y[0] != -first ||
			!strings.Contains(got.Difference, "abalone.csv: names or values differ") {
			t.Errorf("%s: %q, %d rows, first %v, %v", protocol, got.Name, got.Rows(), got.X[0], got.Y[0])
		}
	}

	write("yacht", "residuary_resistance", 6, 307)
	write("boston", "medv", 12, 506)
	write("energy", "heating_load", 8, 768)
	for _, c := range [][2]string{
		{"yacht", "307 rows of 6 inputs; yacht has 308 rows of 6 inputs"},
		{"boston", "506 rows of 12 inputs; boston has 506 rows of 13 inputs"},
		{"energy", `no column "cooling_load"`},
		{"diabetes", "not found"},
		{"housing", "want one of"},
	} {
		_, err := Dataset(ctx, c[0], "", data.Paper, 1, Options{})
		expect.Error(t, err, c[1])
	}
	_, err := Dataset(ctx, "yacht", "", "best", 1, Options{})
	expect.Error(t, err, "want paper or sound")
}

// files skips a test where the files of the data sets are not at hand.
func files(t *testing.T) {
	t.Helper()
	if os.Getenv("SML_DATA") == "" {
		t.Skip("SML_DATA is not set to a folder with the data sets' files")
	}
}

// The minimum, mean and maximum of each target agree with the README next to the files (the mean
// to six decimals).
func TestFiles(t *testing.T) {
	files(t)
	for _, c := range []struct {
		name           string
		low, mean, top float64
	}{
		{"yacht", 0.01, 10.495357, 62.42},
		{"diabetes", 25, 152.133484, 346},
		{"boston", 5, 22.532806, 50},
		{"energy", 10.9, 24.587760, 48.03},
		{"concrete", 2.3318078, 35.817836, 82.599225},
		{"wine-red", 3, 5.636023, 8},
		{"abalone", 1, 9.933684, 29},
		{"power", 420.26, 454.365009, 495.76},
		{"naval", 0.975, 0.987500, 1},
		{"california", 0.14999, 2.068558, 5.00001},
		{"protein", 0, 7.748528, 20.999},
	} {
		got, err := Dataset(ctx, c.name, "", data.Sound, 1, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		mean := data.FitScalers(got.Y, got.Targets, nil)[0].Mean
		low, top := slices.Min(got.Y), slices.Max(got.Y)
		// The README rounds concrete's extremes to its figures.
		if math.Abs(low-c.low) > 5e-8 || math.Abs(top-c.top) > 5e-7 || math.Abs(mean-c.mean) > 5.001e-7 {
			t.Errorf("%s: target %v, %v, %v; want %v, %v, %v", c.name, low, mean, top, c.low, c.mean, c.top)
		}
		paper, err := Dataset(ctx, c.name, "", data.Paper, 1, Options{})
		d, _ := data.Lookup(c.name)
		if err != nil || paper.Rows() != d.RowsUnder(data.Paper) {
			t.Errorf("%s under the paper protocol: %v", c.name, err)
		}
	}
}

// The files of these two may be absent; where they are there, they must fit.
func TestLargeFiles(t *testing.T) {
	files(t)
	if testing.Short() {
		t.Skip("short: hundreds of megabytes")
	}
	for _, name := range []string{"superconduct", "year"} {
		if path, err := Locate(name, ""); err != nil {
			t.Logf("%s left out: %v", name, err)
		} else if _, err := Dataset(ctx, name, "", data.Paper, 1, Options{}); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
