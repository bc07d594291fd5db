package data

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// by is a table that is split by a column of these values.
func by(f Field, values ...float64) *Table {
	t := Friedman(len(values), 1)
	t.By, t.ByField, t.B = "by", f, values
	return t
}

// readBy reads a table of the columns x, by and y.
func readBy(t *testing.T, o Options, rows ...string) (*Table, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("x,by,y\n"+strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if o.By == "" {
		o.By = "by"
	}
	o.Raw = true
	return ReadFile(ctx, path, o)
}

// No group is on both sides, every row is tested on once, and folds are as even as
// whole groups allow: what one has more than another is no more than a largest group.
func TestGroupFolds(t *testing.T) {
	for _, c := range []struct{ groups, rows, folds int }{{2, 10, 2}, {7, 40, 7}, {10, 200, 10}, {50, 578, 10}, {300, 300, 10}} {
		r := rand.New(rand.NewPCG(1, 2))
		values, sizes := make([]float64, c.rows), make(map[float64]int)
		for i := range values {
			values[i] = float64(r.IntN(1+r.IntN(c.groups))) * 3
			if i < c.groups {
				values[i] = float64(i) * 3
			}
			sizes[values[i]]++
		}
		table, largest := by(Field{Kind: Number}, values...), 0
		for _, n := range sizes {
			largest = max(largest, n)
		}
		k, _ := LookupSplit("group")
		if folds, err := k.FoldsOf(table); folds != c.folds || err != nil {
			t.Fatalf("%d groups: %d folds, %v", c.groups, folds, err)
		}
		var tests []int
		times := make([]int, c.rows)
		for fold := range c.folds {
			s := split(t, table, "group", fold, Sound, 5)
			tested := make(map[float64]bool)
			for _, row := range s.Test {
				tested[values[row]] = true
				times[row]++
			}
			for _, row := range s.Train {
				if tested[values[row]] {
					t.Fatalf("%d groups, fold %d: group %v is on both sides", c.groups, fold, values[row])
				}
			}
			if paper := split(t, table, "group", fold, Paper, 5); !slices.Equal(paper.Test, s.Test) {
				t.Errorf("fold %d: the protocols differ", fold)
			}
			tests = append(tests, len(s.Test))
		}
		if slices.Min(times) != 1 || slices.Max(times) != 1 {
			t.Errorf("%d groups: rows are tested %d to %d times", c.groups, slices.Min(times), slices.Max(times))
		}
		if slices.Max(tests)-slices.Min(tests) > largest {
			t.Errorf("%d groups, the largest of %d rows: folds of %v rows", c.groups, largest, tests)
		}
	}
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i % 20)
	}
	table := by(Field{Kind: Number}, values...)
	if a, b := split(t, table, "group", 0, Sound, 1), split(t, table, "group", 0, Sound, 2); slices.Equal(a.Test, b.Test) {
		t.Error("groups do not follow from the seed")
	}
}

// A kind that has one value of its column on both sides is caught.
func TestOneSide(t *testing.T) {
	k := randomFolds
	k.Column = "group"
	if _, err := k.Split(ctx, by(Field{Kind: Number}, slices.Repeat([]float64{1, 2}, 20)...), 0, Sound, 1); err == nil || !strings.Contains(err.Error(), "is trained on and tested on") {
		t.Errorf("%v", err)
	}
}

// Worked by hand.
func TestTimeSplit(t *testing.T) {
	for _, c := range []struct {
		share float64
		times []float64
		want  []int
	}{
		{0.2, []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 0}, []int{0, 2}},
		{0.5, []float64{1, 2, 3, 4}, []int{2, 3}},
		{0.2, []float64{1, 2, 3, 3, 3}, []int{2, 3, 4}}, // rows of one time stay together
		{0.2, []float64{1, 1, 1, 1, 2}, []int{4}},
		{0.5, []float64{1, 1, 1, 1, 2}, []int{4}}, // likewise, as some have to be trained on
		{0.01, []float64{1, 3, 2}, []int{1}},
		{0.99, []float64{1, 3, 2}, []int{1, 2}},
		{0.2, []float64{-5, -7, math.MaxFloat64, 0}, []int{2}},
	} {
		k, _ := LookupSplit("time")
		k, err := k.WithShare(c.share)
		if err != nil {
			t.Fatal(err)
		}
		s, err := k.Split(ctx, by(Field{Kind: Number}, c.times...), 0, Sound, 1)
		if !slices.Equal(s.Test, c.want) || err != nil {
			t.Errorf("%v of %v tests %v, %v; want %v", c.share, c.times, s.Test, err, c.want)
		}
		for _, trained := range s.Train {
			for _, tested := range s.Test {
				if c.times[trained] >= c.times[tested] {
					t.Errorf("%v: %v is trained on and %v is tested on", c.times, c.times[trained], c.times[tested])
				}
			}
		}
	}
	same := by(Field{Kind: Date, Layout: "2006"}, 1, 1, 1)
	if _, err := same.Split(ctx, "time", 0, Sound, 1); !errors.Is(err, ErrEmptyFold) {
		t.Errorf("of one time: %v", err)
	}
	if same.ByField.Kind = Number; latestRows(0.2).Share != 0.2 {
		t.Error("the share that is tested on is not a fifth")
	}
}

// Each fold has, of each tenth of the target, as many rows as every other, but for one.
func TestStratifiedFolds(t *testing.T) {
	for _, n := range []int{10, 57, 100, 333} {
		table := Friedman(n, 3)
		if n == 333 { // ties
			for i := range table.Y {
				table.Y[i] = math.Round(table.Y[i] / 5)
			}
		}
		order := upTo[int](n)
		slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, table.Y[a]-table.Y[b])) })
		tenth := make([]int, n) // of each row, were ties cut in the file's order
		for k := range folds {
			for _, row := range order[k*n/folds : (k+1)*n/folds] {
				tenth[row] = k
			}
		}
		var sizes []int
		var counts [folds][]int
		for fold := range folds {
			s := split(t, table, "stratified", fold, Sound, 4)
			var of [folds]int
			for _, row := range s.Test {
				of[tenth[row]]++
			}
			for k, count := range of {
				counts[k] = append(counts[k], count)
			}
			sizes = append(sizes, len(s.Test))
			if paper := split(t, table, "stratified", fold, Paper, 4); !slices.Equal(paper.Test, s.Test) {
				t.Errorf("fold %d: the protocols differ", fold)
			}
		}
		if slices.Max(sizes)-slices.Min(sizes) > 1 {
			t.Errorf("%d rows: folds of %v", n, sizes)
		}
		for k, count := range counts {
			if slices.Max(count)-slices.Min(count) > 1 && n != 333 {
				t.Errorf("%d rows: the folds have %v rows of tenth %d of the target", n, count, k)
			}
		}
		for row, times := range timesTested(t, table, "stratified", Sound) {
			if times != 1 {
				t.Errorf("%d rows: row %d is tested %d times", n, row, times)
			}
		}
		if a, b := split(t, table, "stratified", 0, Sound, 1), split(t, table, "stratified", 0, Sound, 2); n > 10 && slices.Equal(a.Test, b.Test) {
			t.Error("folds do not follow from the seed")
		}
	}
}

// What a column says, in words and in numbers.
func TestColumnFolds(t *testing.T) {
	for _, c := range []struct {
		column string
		folds  int
		fold   int
		want   []int // that are tested on; nil: none, which is an empty fold
	}{
		{"0 1 2 0 1 2", 3, 1, []int{1, 4}},
		{"2.0 1 00 2 1 0", 3, 2, []int{0, 3}},
		{"10 20 10 20 30 9", 4, 0, []int{5}}, // ascending by number, not by text
		{"10 20 10 20 30 9", 4, 1, []int{0, 2}},
		{"0 1 3 0 1 3", 4, 3, []int{2, 5}}, // a number is a fold's, whichever others there are
		{"0 1 3 0 1 3", 4, 2, nil},
		{"0 50 100 0 50 100", 3, 1, []int{1, 4}}, // more folds than rows: these are other values
		{"b a c b a c", 3, 1, []int{0, 3}},
		{"test train train test train train", 1, 0, []int{0, 3}},
		{"Training TEST Training TEST TEST TEST", 1, 0, []int{1, 3, 4, 5}},
		{"train valid train valid train valid", 2, 1, []int{1, 3, 5}}, // no test: each is a fold
		{"2024-01-02 2024-01-01 2024-01-02 2024-01-01 2024-01-01 2024-01-01", 2, 0, []int{1, 3, 4, 5}},
		{"1 1 1a 1 1 1 1 1 1 1 1 1", 2, 1, []int{2}},
	} {
		var rows []string
		for i, v := range strings.Fields(c.column) {
			rows = append(rows, fmt.Sprintf("%d,%s,%d", i, v, i*i))
		}
		table, err := readBy(t, Options{ByAlone: true}, rows...)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(table.Columns, []string{"x"}) {
			t.Errorf("inputs %v", table.Columns)
		}
		k, _ := LookupSplit("folds")
		if n, err := k.FoldsOf(table); n != c.folds || err != nil {
			t.Errorf("%s: %d folds, %v; want %d", c.column, n, err, c.folds)
		}
		s, err := table.Split(ctx, "folds", c.fold, Sound, 1)
		if !slices.Equal(s.Test, c.want) || errors.Is(err, ErrEmptyFold) != (c.want == nil) {
			t.Errorf("%s: fold %d tests %v, %v; want %v", c.column, c.fold, s.Test, err, c.want)
		}
	}
}

func TestOwnSplitErrors(t *testing.T) {
	for _, c := range []struct {
		kind string
		fold int
		o    Options
		rows string // of by alone
		want string
	}{
		{"group", 0, Options{ByAlone: true}, "a a a", `column "by" has one group, a; at least 2 are needed`},
		{"group", 2, Options{ByAlone: true}, "a b a", "there is no fold 2; folds are 0 to 1"},
		{"group", 0, Options{ByAlone: true}, "a NA ?", "t.csv:3: column 2 (by): the value is missing; every row needs one, as rows are split by this column (and 1 more rows like it)"},
		{"folds", 0, Options{ByAlone: true}, "0  1", `t.csv:3: column 2 (by): the value is missing`},
		{"folds", 0, Options{ByAlone: true}, "5 5 5", `column "by" is 5 in every row; at least 2 folds are needed, or train and test`},
		{"folds", 2, Options{ByAlone: true}, "0 1 1", "there is no fold 2; folds are 0 to 1"},
		{"folds", 1, Options{ByAlone: true}, "0 2 2", `no row has 1 in column "by"`},
		{"folds", 0, Options{ByAlone: true}, "train test validation", `column "by" has validation beside train and test; a row is trained on or tested on`},
		{"time", 0, Options{}, "spring autumn spring", `column "by" holds texts, such as "autumn", and neither dates that are known nor numbers`},
		{"time", 0, Options{}, "2024-01-01 NA 2024-01-02", "t.csv:3: column 2 (by): the value is missing"},
		{"time", 0, Options{}, "1 2 3 4 5 6 7 8 9 10 11 soon", "t.csv:13: column 2 (by): \"soon\" is no number, and 11 other values are"},
		{"time", 0, Options{}, "7 7 7", "as too many rows share one value"},
		{"time", 1, Options{}, "1 2 3", "there is no fold 1"},
		{"group", 0, Options{By: "group", ByAlone: true}, "a b", `there is no column "group"; the columns are x, by, y`},
		{"group", 0, Options{By: "y", ByAlone: true}, "a b", `column 3 (y) is asked for as what rows are split by and again as a target; ask for it once; the last column was taken as the target, as none was named`},
		{"time", 0, Options{By: "y"}, "a b", `column 3 (y) is the target, and rows are split by it; the last column was taken as the target, as none was named`},
		{"time", 0, Options{By: "x", Targets: []string{"x"}}, "a b", `column 1 (x) is a target, and rows cannot be split by it`},
		{"time", 0, Options{Dates: []string{"by=dd.mm.yyyy"}}, "01.02.2024 2.3.2024", `column 2 (by): "2.3.2024" is not a date as dd.mm.yyyy`},
		{"file", 0, Options{ByAlone: true}, "a b", "no rows of a file for testing"},
	} {
		var rows []string
		for i, v := range strings.Split(c.rows, " ") {
			rows = append(rows, fmt.Sprintf("%d,%s,%d", i, v, i*i))
		}
		table, err := readBy(t, c.o, rows...)
		if err == nil {
			_, err = table.Split(ctx, c.kind, c.fold, Sound, 1)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: error %v lacks %q", c.kind, c.rows, err, c.want)
		}
	}
	k, _ := LookupSplit("time")
	for _, share := range []float64{-0.1, 1, 1.5, math.NaN(), math.Inf(1)} {
		if _, err := k.WithShare(share); err == nil || !strings.Contains(err.Error(), "want more than 0 and less than 1") {
			t.Errorf("share %v: %v", share, err)
		}
	}
	if _, err := randomFolds.WithShare(0.3); err == nil || !strings.Contains(err.Error(), "a random split tests on is not to be chosen") {
		t.Errorf("%v", err)
	}
}

// A column of dates that rows are split by is an input, too; dropped, it is none.
func TestTimeIsAnInput(t *testing.T) {
	rows := []string{"1,2024-01-01,1", "2,2024-01-02,2"}
	for _, c := range []struct {
		o    Options
		want []string
	}{{Options{}, []string{"x", "by"}}, {Options{Drop: []string{"by"}}, []string{"x"}}, {Options{Drop: []string{"by"}, Dates: []string{"by=yyyy-mm-dd"}}, []string{"x"}}} {
		table, err := readBy(t, c.o, rows...)
		if err != nil || !slices.Equal(table.Columns, c.want) || table.ByField.Kind != Date || !slices.Equal(table.B, []float64{1704067200, 1704153600}) {
			t.Errorf("%+v: %v, %v, %v", c.o, table, c.want, err)
		}
	}
}

// Rows for testing change nothing of what is known of the table's own.
func TestWithTest(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	train, err := ReadFile(ctx, write("train.csv", "c,n,w,y\nred,1,1,1\nblue,2,2,2\nred,3,1,3\n"), Options{Raw: true, Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	test, err := ReadFile(ctx, write("test.csv", "y,w,n,c,more\n4,1,,green,7\n5,2,9,blue,7\n"), train.TestOptions(true))
	if err != nil {
		t.Fatal(err)
	}
	both, err := train.WithTest(test)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(both.Y, []float64{1, 2, 3, 4, 5}) || !slices.Equal(both.W, []float64{1, 2, 1, 1, 2}) || both.Held != 2 || !math.IsNaN(both.X[7]) {
		t.Errorf("%+v", both)
	}
	if got := both.X[6]; got != Unseen {
		t.Errorf("a level of the test rows alone is %v", got)
	}
	s := split(t, both, TestFile, 0, Sound, 1)
	if !slices.Equal(s.Test, []int{3, 4}) {
		t.Errorf("tests %v", s.Test)
	}
	if _, err := both.Split(ctx, "single-random", 0, Sound, 1); err == nil || !strings.Contains(err.Error(), "which the file split alone knows") {
		t.Errorf("rows for testing are split: %v", err)
	}
	own, held := both.Parts()
	for _, c := range [][2]*Table{{own, train}, {held, test}} {
		got, _ := c[0].Checksum(ctx)
		if want, _ := c[1].Checksum(ctx); got != want {
			t.Errorf("%+v became %+v", c[1], c[0])
		}
	}
	for text, want := range map[string]string{
		"c,y,w\nred,1,1\n":          `the input "n" is missing`,
		"c,n,y\nred,1,1\n":          `the weight "w" is missing; rows for testing need the columns of`,
		"c,n,w\nred,1,1\n":          `the target "y" is missing`,
		"c,n,w,y\nred,three,1,1\n":  `column 2 (n): `,
		"c,n,w,y\n":                 "there is a header but no row",
		"c,n,w,y\nred,1,1,\n,,1,\n": "all 2 rows lack a target",
	} {
		var test *Table
		test, err := ReadFile(ctx, write("bad.csv", text), train.TestOptions(true))
		if err == nil {
			_, err = train.WithTest(test)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v lacks %q", text, err, want)
		}
	}
}

// Whatever stands in a column that rows are split by, there is an error or a split.
func FuzzSplitBy(f *testing.F) {
	for _, text := range []string{"x,by,y\n1,a,2\n2,b,3\n3,a,1\n", "x,by,y\n1,0,2\n2,3,3\n3,1,1\n", "x,by,y\n1,train,2\n2,Test,3\n",
		"x,by,y\n1,2024-01-01,2\n2,2024-01-03,3\n3,2024-01-02,\n", "x,by,y\n1,,2\n", "x,by,y\n1,1e300,2\n2,-0,3\n3,0,1\n", "x,by,y\n1,1e9,2\n2,0,3\n"} {
		for kind := range 4 {
			f.Add([]byte(text), kind, 0, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, kind, fold int, seed uint64) {
		k, err := LookupSplit([]string{"group", "time", "folds", "stratified"}[uint(kind)%4])
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Raw: true, By: "by", ByAlone: k.Apart, Targets: []string{"y"}}
		if k.Column == "" {
			o.By = ""
		}
		table, err := Read(ctx, bytes.NewReader(text), "fuzz", o)
		if err != nil {
			return
		}
		if slices.ContainsFunc(table.B, math.IsNaN) {
			t.Fatalf("a row without a value: %+v", table)
		}
		folds, err := k.FoldsOf(table)
		if err == nil && (folds < 1 || folds > max(10, table.Rows())) {
			t.Fatalf("%d folds of %d rows", folds, table.Rows())
		}
		s, err := k.Split(ctx, table, fold, Sound, seed)
		if err != nil {
			return
		}
		if fold < 0 || fold >= folds || len(s.Train)+len(s.Test) != table.Rows() || len(s.Train) == 0 || len(s.Test) == 0 {
			t.Fatalf("fold %d of %d: %+v", fold, folds, s)
		}
		for _, a := range s.Train {
			for _, b := range s.Test {
				if k.Column != "" && table.B[a] == table.B[b] || k.Name == "time" && table.B[a] > table.B[b] {
					t.Fatalf("%s: %v is trained on and %v tested on", k.Name, table.B[a], table.B[b])
				}
			}
		}
	})
}
