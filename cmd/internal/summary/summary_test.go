package summary

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
)

// testTime is the time of all summaries.
var testTime = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

func of(t *testing.T, text string) *Summary {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	table := expect.Must(read.File(context.Background(), path, read.Options{Raw: true}))
	s := expect.Must(New(context.Background(), table, testTime))
	return s
}

// Every expected value is worked out by hand.
func TestColumns(t *testing.T) {
	s := of(t, "n,text,day,void,y\n0,b,2024-01-01,,1\n10,a,2024-01-03,,2\n,b,,,4\n5,,2024-01-02,,5\n5,b,2024-01-02,,\n")
	if s.Rows != 4 || s.Unlabelled != 1 {
		t.Errorf("%d rows, %d without a target", s.Rows, s.Unlabelled)
	}
	n, text, day, void, y := s.Columns[0], s.Columns[1], s.Columns[2], s.Columns[3], s.Columns[4]
	if n.Missing != 1 || n.Distinct != 3 || n.Min != 0 || n.Max != 10 || n.Mean != 5 || n.Median != 5 || n.Low != 2.5 || n.High != 7.5 || math.Abs(n.Std-math.Sqrt(50./3)) > 1e-15 {
		t.Errorf("n is %+v", n.Numbers)
	}
	if n.ZeroFraction != 1./3 || day.ZeroFraction != 0 || y.ZeroFraction != 0 {
		t.Errorf("shares of zeros: %v, %v and %v", n.ZeroFraction, day.ZeroFraction, y.ZeroFraction)
	}
	if !slices.Equal(n.Histogram, []int{1, 0, 0, 0, 0, 1, 0, 0, 0, 1}) {
		t.Errorf("the histogram is %v", n.Histogram)
	}
	if text.Missing != 1 || !slices.Equal(text.Categories, []CategoryCount{{"b", 2}, {"a", 1}}) || text.Histogram[0] != 2 || text.Numbers != nil {
		t.Errorf("text is %+v", text)
	}
	if day.Kind != data.Date || day.Show(day.Min) != "2024-01-01" || day.Show(day.Max) != "2024-01-03" {
		t.Errorf("day is %+v", day.Numbers)
	}
	if void.Missing != 4 || void.Numbers != nil {
		t.Errorf("void is %+v", void)
	}
	if y.Role != "target" || y.Mean != 3 {
		t.Errorf("y is %+v", y)
	}
}

// cells are the values of a row.
type cells []any

// other returns a number without any relation to u.
func other(u float64) float64 { return float64(int(u*1e6)%997) / 7 }

// choose returns the first value or the second.
func choose(isFirst bool, first, second any) any {
	if isFirst {
		return first
	}
	return second
}

// made is a table of rows cells, the last column of which is the target.
func made(header string, rows int, row func(i int, noise float64) cells) string {
	var out strings.Builder
	out.WriteString(header + "\n")
	state := uint64(1)
	for i := range rows {
		state = state*6364136223846793005 + 1442695040888963407
		var line []string
		for _, cell := range row(i, float64(state>>40)/(1<<24)) {
			line = append(line, fmt.Sprint(cell))
		}
		out.WriteString(strings.Join(line, ",") + "\n")
	}
	return out.String()
}

// Each kind of suspicion is found where there is cause, and only there.
func TestSuspicions(t *testing.T) {
	const rows = 120
	for _, c := range []struct {
		name, header string
		row          func(i int, u float64) cells
		want         []string // kind column
	}{
		{"nothing", "x,y", func(i int, u float64) cells { return cells{u, other(u)} }, nil},
		{"the target itself", "x,y", func(i int, u float64) cells { return cells{u, u} }, []string{"like-target x"}},
		{"the rest of a day", "x,y", func(i int, u float64) cells { return cells{fmt.Sprintf("%.3f", 24-24*u), fmt.Sprintf("%.3f", 24*u)} }, []string{"like-target x"}},
		{"the square of the target", "x,y", func(i int, u float64) cells { return cells{u * u * u * u, u} }, []string{"like-target x"}},
		{"the same in other words", "a,b,y", func(i int, u float64) cells {
			k := int(u * 3)
			return cells{[]string{"m", "f", "d"}[k], []string{"male", "x", "female"}[k], other(u)}
		}, []string{"duplicate b"}},
		{"two units", "c,f,y", func(i int, u float64) cells {
			return cells{fmt.Sprintf("%.3f", 30*u), fmt.Sprintf("%.2f", 32+54*u), other(u)}
		}, []string{"duplicate f"}},
		{"nearly constant", "x,z,y", func(i int, u float64) cells { return cells{i / (rows - 1), u, other(u)} }, []string{"nearly-constant x"}},
		{"a counter", "x,z,y", func(i int, u float64) cells { return cells{i*7%rows + 1, u, other(u)} }, []string{"counter x"}},
		{"an identifier", "orderID,z,y", func(i int, u float64) cells { return cells{i * i * 7919 % 99991, u, other(u)} }, []string{"identifier orderID"}},
		{"sorted numbers of people", "person,z,y", func(i int, u float64) cells { return cells{i * i, u, other(u)} }, nil},
		{"days", "day,z,y", func(i int, u float64) cells {
			return cells{fmt.Sprintf("2024-%02d-%02d", i/28+1, i%28+1), u, other(u)}
		}, []string{"time day"}},
		{"years", "Year,z,y", func(i int, u float64) cells { return cells{1900 + i/2, u, other(u)} }, []string{"time Year"}},
		{"subjects", "who,z,y", func(i int, u float64) cells {
			return cells{fmt.Sprintf("s%c", rune('a'+i/8*7%15)), u, other(u)}
		}, []string{"groups who"}},
		{"a walk", "z,y", func(i int, u float64) cells { return cells{u, float64(i*(rows-i)%4000) + u} }, []string{"neighbours "}},
		{"rows sorted by a class", "class,z,y", func(i int, u float64) cells {
			return cells{fmt.Sprintf("k%c", rune('a'+i/40)), u, 100*float64(i/40) + float64(int(u*1e6)%997)/97}
		}, []string{"strong class"}},
		{"copies", "x,y", func(i int, u float64) cells {
			k := i % 100 * 37 % 101
			return cells{k * k % 103 * 2, k * k * k % 997}
		}, []string{"copies "}},
		{"grades", "x,y", func(i int, u float64) cells { return cells{u, int(u*1e6) % 5} }, []string{"few-values y"}},
		{"incomes", "x,y", func(i int, u float64) cells { return cells{u, math.Exp(3*float64(int(u*1e6)%997)/997 + 1)} }, []string{"skewed y"}},
		{"a tail", "x,y", func(i int, u float64) cells { return cells{u + float64(i/(rows-1))*50, other(u)} }, []string{"far x"}},
		{"−999", "x,y", func(i int, u float64) cells { return cells{choose(i%11 == 5, -999, 5*u), other(u)} }, []string{"code x"}},
		{"−1 for missing counts", "x,y", func(i int, u float64) cells { return cells{max(-1, int(60*u)-10), other(u)} }, []string{"code x"}},
		{"differences from −1 on", "x,y", func(i int, u float64) cells { return cells{max(-1, int(30*u)-2), other(u)} }, nil},
		{"99 for missing ages", "age,y", func(i int, u float64) cells {
			return cells{choose(i%9 == 5, 99, 18+int(63*u)), other(u)}
		}, []string{"code age"}},
		{"percentages up to 99", "x,y", func(i int, u float64) cells { return cells{int(100 * u), other(u)} }, nil},
		{"a frequent far value", "x,y", func(i int, u float64) cells { return cells{choose(i%9 == 5, 88888, 500*u), other(u)} }, []string{"code x"}},
		{"blood pressures of 0", "pressure,y", func(i int, u float64) cells {
			return cells{choose(i%9 == 5, 0, 60+int(60*u)), other(u)}
		}, []string{"code pressure"}},
		{"counts from 0 on", "x,y", func(i int, u float64) cells { return cells{max(0, int(3*u+10*u*u*u*u*u*u*u*u*u)), other(u)} }, nil},
		{"an area that most rows lack", "pool,z,y", func(i int, u float64) cells {
			area := 60 + int(60*u)
			if i%9 > 3 {
				area = 0
			}
			return cells{area, u, other(u)}
		}, nil},
		{"amounts of 0", "x,y", func(i int, u float64) cells { return cells{choose(i%9 == 5, 0, 0.1+5*u), other(u)} }, nil},
		{"targets of 0", "x,y", func(i int, u float64) cells { return cells{u, choose(i%9 == 5, 0, 60+other(u))} }, []string{"inflated y"}},
		{"−999 for missing targets", "x,y", func(i int, u float64) cells { return cells{u, choose(i%9 == 5, -999, other(u))} }, []string{"code y"}},
		{"a date in the future", "day,y", func(i int, u float64) cells {
			return cells{fmt.Sprintf("20%d-%02d-%02d", 24+2*(i%2)*(1-min(1, i%17)), i*5%12+1, i*7%28+1), other(u)}
		}, []string{"future day"}},
		{"plans", "day,y", func(i int, u float64) cells { return cells{fmt.Sprintf("2026-%02d-%02d", i*5%9+4, i*7%28+1), other(u)} }, nil},
		{"a date that stands for none", "day,y", func(i int, u float64) cells {
			return cells{choose(i%20 == 3, "1900-01-01", fmt.Sprintf("2024-%02d-%02d", i*5%12+1, i*7%28+1)), other(u)}
		}, []string{"far-date day"}},
		{"a year in the future", "year built,y", func(i int, u float64) cells {
			return cells{1950 + i*7%70 + 300*(i/(rows-1)), other(u)}
		}, []string{"future year built"}},
		{"classes of the target", "class,y", func(i int, u float64) cells {
			return cells{[]string{"low", "high"}[int(2*u)], u}
		}, []string{"like-target class"}},
		{"rows that are filled in", "temp,wind,z,y", func(i int, u float64) cells {
			return cells{choose(i%12 == 5, "", 5*u), choose(i%12 == 5, "", math.Mod(1e4*u, 7)), u, choose(i%12 == 5, 0, 3+other(u))}
		}, []string{"filled-rows temp+wind", "duplicate z", "inflated y"}},
		{"rows that are filled in with small targets", "temp,wind,z,y", func(i int, u float64) cells {
			return cells{choose(i%12 == 5, "", 5*u), choose(i%12 == 5, "", math.Mod(1e4*u, 7)), u, choose(i%12 == 5, i/12%4, 4+int(u*1e6)%997/7)}
		}, []string{"filled-rows temp+wind", "duplicate z"}},
		{"two inputs that are missing for small and for large targets", "temp,wind,z,y", func(i int, u float64) cells {
			switch i % 12 {
			case 5:
				return cells{"", math.Mod(1e4*u, 7), u, i / 12 % 4}
			case 11:
				return cells{math.Mod(1e5*u, 7), "", u, 147 + i/12%4}
			}
			return cells{math.Mod(1e5*u, 7), math.Mod(1e4*u, 7), u, 4 + int(u*1e6)%997/7}
		}, []string{"like-target temp", "like-target wind"}},
		{"an input that is missing for small targets", "temp,z,y", func(i int, u float64) cells {
			return cells{choose(i%12 == 5, "", math.Mod(1e4*u, 7)), u, choose(i%12 == 5, i/12%4, 4+int(u*1e6)%997/7)}
		}, []string{"like-target temp"}},
		{"rows of closed days", "open,z,y", func(i int, u float64) cells {
			return cells{choose(i%12 == 5, "no", "yes"), u, choose(i%12 == 5, 0, 3+other(u))}
		}, []string{"filled-rows open", "inflated y"}},
		{"one mistake of a target", "x,y", func(i int, u float64) cells {
			return cells{u, other(u) + 1e6*float64(i/(rows-1))}
		}, []string{"far-target y"}},
		{"a few large targets", "x,y", func(i int, u float64) cells {
			return cells{u, 1 / (0.0001 + float64(int(u*1e6)%997)/997)}
		}, []string{"skewed y"}},
		{"a code in two inputs", "a,b,y", func(i int, u float64) cells {
			a, b := 5*u, math.Mod(1e4*u, 7)
			if i%11 == 5 {
				a = -999
			}
			if i%7 == 5 {
				b = -999
			}
			return cells{a, b, other(u)}
		}, []string{"code a+b"}},
		{"a code that is a measurement elsewhere", "a,b,c,y", func(i int, u float64) cells {
			a, b := 5*u, math.Mod(1e4*u, 7)
			if i%11 == 5 {
				a = -999
			}
			if i%7 == 5 {
				b = -999
			}
			return cells{a, b, 13*(i*37%120) - 999, other(u)}
		}, []string{"code a", "code b"}},
		{"a sum", "a,b,y", func(i int, u float64) cells {
			a := float64(int(u*1e6) % 997)
			return cells{a, 500*u - a, 500 * u}
		}, []string{"combination a+b"}},
	} {
		var got []string
		for _, s := range of(t, made(c.header, rows, c.row)).Suspicions {
			got = append(got, fmt.Sprintf("%s %s", s.Kind, strings.Join(s.Columns, "+")))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Pearson’s r of 1 to 8 and their squares by hand: Sxy 378, Sxx 42, Syy 3570.
func TestCorrelation(t *testing.T) {
	nan := math.NaN()
	a := []float64{1, 2, 3, nan, 4, 5, 6, 7, 8, 9}
	b := []float64{1, 4, 9, 5, 16, 25, 36, 49, 64, nan}
	if r, ok := correlation(a, b); !ok || math.Abs(r-378/math.Sqrt(42*3570)) > 1e-15 {
		t.Errorf("r is %v", r)
	}
	if r, ok := correlation([]float64{1e308, -1e308, 1e308, 0, 0, 1, 2, 3}, []float64{1e308, -1e308, 1e308, 0, 0, 1, 2, 3}); !ok || math.Abs(r-1) > 1e-15 {
		t.Errorf("of large numbers r is %v", r)
	}
	if _, ok := correlation(slices.Repeat([]float64{0.1}, 8), b[:8]); ok {
		t.Error("a constant column has a correlation")
	}
}

// A row of sums is found wherever it stands, and spoils nothing that is said about the other rows.
func TestTotal(t *testing.T) {
	rows := make([]string, 20)
	for i := range rows {
		rows[i] = fmt.Sprintf("%d,%.1f,%d", i*i%17, 0.1*float64(i*7%20), i*5%11)
	}
	for _, at := range []int{0, 7, 20} {
		text := "a,b,y\n" + strings.Join(slices.Insert(slices.Clone(rows), at, "141,19,103"), "\n") + "\n"
		s := of(t, text)
		if len(s.Suspicions) == 0 || s.Suspicions[0].Kind != Total || s.Suspicions[0].Says != fmt.Sprintf("row %d has the sums of all other rows", at+1) || s.Columns[0].Max != 16 {
			t.Errorf("at %d: %+v, up to %v", at, s.Suspicions, s.Columns[0].Max)
		}
	}
}

// A target of prices with signs would be one of classes that have a row each.
func TestManyClasses(t *testing.T) {
	for classes, want := range map[int]bool{3: false, 20: false, 21: true} {
		table := &data.Table{Columns: []string{"x"}, Targets: []string{"y"}, TargetFields: []data.Field{{Kind: data.Category}}}
		for i := range 40 {
			table.X = append(table.X, float64(i*i%17))
			table.Y = append(table.Y, float64(i%classes))
		}
		for i := range classes {
			table.TargetFields[0].Categories = append(table.TargetFields[0].Categories, fmt.Sprintf("$%d", i))
		}
		s := expect.Must(New(context.Background(), table, testTime))
		found := slices.ContainsFunc(s.Suspicions, func(s Suspicion) bool { return s.Kind == ManyClasses })
		if found != want {
			t.Errorf("%d classes in 40 rows: %+v", classes, s.Suspicions)
		}
	}
}

func TestEnds(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	end()
	if _, err := New(ctx, &data.Table{Columns: []string{"x"}, X: []float64{1}}, testTime); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
