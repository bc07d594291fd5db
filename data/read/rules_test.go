package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sml/data"
)

// oneColumn returns a CSV file of a column x with the given cells, a column of texts, and a target.
func oneColumn(cells []string) string {
	return "x,z,y\n" + strings.Join(cells, ",q,1\n") + ",q,1\n"
}

// Usual columns with one odd cell are read, and the report names the odd cell.
func TestOddCells(t *testing.T) {
	many := func(odd string, cells ...string) (all []string) {
		for i := range 40 {
			all = append(all, cells[i%len(cells)])
		}
		return append(all, odd)
	}
	for _, c := range []struct {
		cells  []string
		kind   data.Kind
		layout string
		remark string
	}{
		{many("1,000", "red", "blue"), data.Category, "", ""},
		{many(`"1,000"`, "red", "blue"), data.Category, "", `"1,000" (line 42) may be a number, and 40 other values are texts`},
		{many("Infinity", "red", "blue"), data.Category, "", "may be a number"},
		{many("1.2.3", "red", "blue"), data.Category, "", ""},
		{many("5%", "red", "blue", "7"), data.Category, "", "may be a number"},
		{many("3.14.15", "3.14.16"), data.Category, "", ""},
		{many("10.0.1.1", "192.168.100.100", "192.168.100.101"), data.Category, "", ""},
		{many("1.2.0", "1.2", "1.10.1"), data.Category, "", ""},
		{many("0x1F", "0x2A"), data.Category, "", ""},
		{many("2024_0001", "2024_17", "20240510_2"), data.Category, "", ""},
		{many("11 AM", "3 PM", "4 pm"), data.Date, "3 PM", ""},
		{many("+49 301 234", "+49 30 1234", "030 123 456"), data.Category, "", ""},
		{many(`"[1, 2]"`, `"[1, 3]"`, "12 34"), data.Category, "", ""},
		{many("\u22125", "7", "-5"), data.Number, "", ""},
		{many("\uff11\uff12", "7"), data.Number, "", ""},
		{many("1\u202f234", "1\u00a0234.5"), data.Number, "", ""},
		{many("2020-01-01", "red", "blue"), data.Category, "", ""},
		{many("5 km", "2020-01-01", "2020-02-01"), data.Date, "2006-01-02", `"5 km" (line 42) in 1 rows are not dates and count as missing`},
		{many("soon", "2020-01-01", "2020-02-01"), data.Date, "2006-01-02", `"soon" (line 42) in 1 rows are not dates and count as missing`},
		{many("soon", "1", "2"), data.Number, "", "count as missing"},
		{many("Gro\u0308\u00dfe", "Gr\u00f6\u00dfe"), data.Category, "", ""},
		{many("NA", "2024-03-30 20:00:00+00"), data.Date, "2006-01-02 15:04:05-07", ""},
		{many("NA", "2024-03-30T20:00:00+0000"), data.Date, "2006-01-02T15:04:05-0700", ""},
		{many("NA", `"Sat, 30 Mar 2024 20:00:00 GMT"`), data.Date, "2 Jan 2006 15:04:05 MST", ""},
		{many("NA", "3/30/24 20:00"), data.Date, "1/2/06 15:04", ""},
		{many("NA", "18.00.00"), data.Date, "15.04.05", ""},
		{many("31/1/11", "1/1/11"), data.Date, "2/1/06", ""},
	} {
		table, err := readRaw(oneColumn(c.cells), Options{})
		if strings.HasPrefix(c.cells[40], "1,000") {
			if err == nil {
				t.Errorf("a row of too many cells is accepted")
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.cells[40], err)
			continue
		}
		f := table.Fields[0]
		if f.Kind != c.kind || f.Layout != c.layout || !strings.Contains(strings.Join(table.Remarks, "\n"), c.remark) {
			t.Errorf("%s: %+v, %q", c.cells[40], f, table.Remarks)
		}
		if strings.HasPrefix(c.cells[40], "Gro") && len(f.Categories) != 1 {
			t.Errorf("%q", f.Categories)
		}
	}
}

// The order of the rows does not change a decision.
func TestOrderOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vocabularies := [][]string{{"1", "2.5", "7"}, {"red", "blue"}, {"2020-01-02", "2021-03-04"}, {"02.01.2020", "31.12.2020"}, {"x", "soon", "NA"}, {"5 km"}, {"5 km", "7km"}, {"12%"}, {"Gro\u0308\u00dfe", "Gr\u00f6\u00dfe"}, {"1.2.10"}, {"3/1/20", "13/1/20"}, {"Infinity", "1.2.3"}}
	for range 300 {
		var cells []string
		for range 1 + r.IntN(4) {
			words := vocabularies[r.IntN(len(vocabularies))]
			for range 1 + r.IntN(30) {
				cells = append(cells, words[r.IntN(len(words))])
			}
		}
		result := func() string {
			table, err := readRaw(oneColumn(cells), Options{})
			if err != nil {
				return "refused"
			}
			return fmt.Sprint(table.Fields[0].Kind, table.Fields[0].Layout, table.Fields[0].Categories, table.Fields[0].Suffix)
		}
		want := result()
		r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		if got := result(); got != want {
			t.Fatalf("%q: %s, in another order %s", cells, want, got)
		}
	}
}
