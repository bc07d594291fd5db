package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"

	"sml/internal/expect"
)

// spelling says how a program writes values as text. Each file has its own.
type spelling struct {
	random    *rand.Rand
	booleans  [2]string // false and true
	truths    [2]string // false and true as words
	stamps    []string  // layouts
	comma     bool      // numbers as text have decimal commas
	momentsIn string    // layout
	point     bool      // whole floating-point numbers have a point: 1.0
	midnights bool      // the time of midnight is left out, as in R
	names     []string  // of the columns, composed or not
}

func newSpelling(t randomTable, seed uint64) spelling {
	r := rand.New(rand.NewPCG(seed, 45))
	s := spelling{
		random:    r,
		booleans:  [][2]string{{"false", "true"}, {"False", "True"}, {"FALSE", "TRUE"}}[r.IntN(3)],
		momentsIn: []string{"2006-01-02 15:04:05.000", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999"}[r.IntN(3)],
		truths:    [][2]string{{"no", "yes"}, {"N", "Y"}, {"off", "on"}, {"f", "t"}, {"No", "yes"}}[r.IntN(5)],
		stamps:    stampLayouts[r.IntN(len(stampLayouts))],
		comma:     t.comma,
		point:     r.IntN(2) == 0,
		midnights: r.IntN(2) == 0,
	}
	for _, c := range t.columns {
		s.names = append(s.names, s.unicode(c.name))
	}
	return s
}

// stampLayouts are layouts of time stamps, some of which a program mixes.
var stampLayouts = [][]string{
	{"2006-01-02 15:04:05"}, {"2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00"}, {"2.1.2006 15:04:05"}, {"02Jan2006:15:04:05"},
	{"Mon, 02 Jan 2006 15:04:05 MST"}, {"20060102T150405"}, {"2006-01-02 15:04:05-07"}, {"January 2, 2006 3:04:05 PM", "2006-01-02 15:04:05"},
}

// unicode returns a text with composed or decomposed letters, by chance.
func (s spelling) unicode(text string) string {
	return []norm.Form{norm.NFC, norm.NFD}[s.random.IntN(2)].String(text)
}

// text returns a cell as text, "" if it is missing.
func (s spelling) text(cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return s.booleans[1]
		}
		return s.booleans[0]
	case float64:
		return s.decimal(s.number(v))
	case string:
		return s.unicode(v)
	case percentage:
		return s.decimal(strconv.FormatFloat(float64(v)*100, 'f', -1, 64)) + "%" // exact: the fraction has 10 binary digits
	case truth:
		if v {
			return s.truths[1]
		}
		return s.truths[0]
	case stamp:
		return v.Format(s.stamps[s.random.IntN(len(s.stamps))])
	case decimal:
		return s.decimal(strconv.FormatFloat(float64(v), 'f', -1, 64))
	case day:
		return v.Format(time.DateOnly)
	case clock:
		return time.Unix(0, int64(v)).UTC().Format("15:04:05.999")
	case moment:
		if s.midnights && !v.zoned && v.Truncate(24*time.Hour).Equal(v.Time) {
			return v.Format(time.DateOnly)
		}
		if v.zoned {
			return v.Format(s.momentsIn + "Z07:00")
		}
		return v.Format(s.momentsIn)
	}
	return fmt.Sprint(cell)
}

func (s spelling) number(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if s.point && strings.Trim(text, "-0123456789") == "" {
		return text + ".0"
	}
	return text
}

// decimal returns a number with the decimal sign of texts.
func (s spelling) decimal(number string) string {
	if s.comma {
		return strings.Replace(number, ".", ",", 1)
	}
	return number
}

// randomCSV returns the table as CSV.
func randomCSV(t randomTable, s spelling) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write(s.names)
	for r := range t.rows {
		var row []string
		for _, c := range t.columns {
			row = append(row, s.text(c.cells[r]))
		}
		w.Write(row)
	}
	w.Flush()
	return out.Bytes()
}

// randomJSON returns the table as JSON lines. Keys of missing values are left out by chance, except in the first object,
// which sets the order of the columns.
func randomJSON(t randomTable, s spelling) []byte {
	var out bytes.Buffer
	for r := range t.rows {
		var members []string
		for i, c := range t.columns {
			cell := c.cells[r]
			if cell == nil && r > 0 && s.random.IntN(2) == 0 {
				continue
			}
			members = append(members, quoteJSON(s.names[i])+": "+s.json(cell))
		}
		out.WriteString("{" + strings.Join(members, ", ") + "}\n")
	}
	return out.Bytes()
}

func (s spelling) json(cell any) string {
	switch v := cell.(type) {
	case nil:
		return "null"
	case bool, int64:
		return fmt.Sprint(v)
	case float64:
		return s.number(v)
	}
	return quoteJSON(s.text(cell))
}

func quoteJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

// randomParquet returns the table as Parquet. A column of values of one type has this type, and another has texts.
func randomParquet(t testing.TB, table randomTable, s spelling) []byte {
	var fields []reflect.StructField
	for i, c := range table.columns {
		kind, tag := parquetType(c)
		name := s.names[i]
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: kind, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", name+",optional"+tag))})
	}
	row := reflect.StructOf(fields)
	var out bytes.Buffer
	w := parquet.NewWriter(&out, parquet.SchemaOf(reflect.New(row).Interface()))
	for r := range table.rows {
		value := reflect.New(row)
		for i, c := range table.columns {
			field := value.Elem().Field(i)
			if c.cells[r] == nil {
				continue
			}
			if field.Kind() == reflect.Pointer {
				field.Set(reflect.New(field.Type().Elem()))
				field = field.Elem()
			}
			field.Set(reflect.ValueOf(s.parquet(c.cells[r], field.Type())))
		}
		expect.NoError(t, w.Write(value.Interface()))
	}
	expect.NoError(t, w.Close())
	return out.Bytes()
}

// parquetType returns the Go type of the column's values, and what a tag says beyond it.
func parquetType(c randomColumn) (kind reflect.Type, tag string) {
	var first any
	for _, cell := range c.cells {
		switch {
		case cell == nil:
		case first == nil:
			first = cell
		case reflect.TypeOf(cell) != reflect.TypeOf(first):
			return reflect.TypeFor[*string](), ""
		}
	}
	switch first.(type) {
	case bool:
		return reflect.TypeFor[*bool](), ""
	case int64:
		return reflect.TypeFor[*int64](), ""
	case float64:
		return reflect.TypeFor[*float64](), ""
	case day:
		return reflect.TypeFor[*int32](), ",date"
	case moment:
		return reflect.TypeFor[*int64](), ",timestamp(microsecond)"
	case clock:
		return reflect.TypeFor[int64](), ",time(microsecond)" // the library refuses a pointer here, so that midnight would be missing
	}
	return reflect.TypeFor[*string](), ""
}

// parquet returns the value that a column of the given type stores for a cell.
func (s spelling) parquet(cell any, kind reflect.Type) any {
	if kind == reflect.TypeFor[string]() {
		return s.text(cell)
	}
	switch v := cell.(type) {
	case day:
		return int32(v.Unix() / 86400)
	case moment:
		return v.UnixMicro()
	case clock:
		return time.Duration(v).Microseconds()
	}
	return cell
}

// randomWorkbook returns the table as a workbook.
func randomWorkbook(t testing.TB, table randomTable, s spelling) []byte {
	f := excelize.NewFile()
	defer f.Close()
	styles := map[reflect.Type]int{
		reflect.TypeFor[day]():        newStyle(t, f, "yyyy-mm-dd"),
		reflect.TypeFor[moment]():     newStyle(t, f, "dd.mm.yyyy hh:mm"),
		reflect.TypeFor[clock]():      newStyle(t, f, "h:mm"),
		reflect.TypeFor[percentage](): newStyle(t, f, "0.0%"),
	}
	for i, c := range table.columns {
		setCell(t, f, i, 0, s.names[i])
		for r, cell := range c.cells {
			if cell == nil {
				continue
			}
			name := setCell(t, f, i, r+1, s.workbookValue(cell))
			if style, ok := styles[reflect.TypeOf(cell)]; ok {
				f.SetCellStyle("Sheet1", name, name, style)
			}
		}
	}
	text := expect.Must(f.WriteToBuffer())
	return text.Bytes()
}

// workbookValue returns the value that a workbook stores for a cell.
func (s spelling) workbookValue(cell any) any {
	switch v := cell.(type) {
	case string:
		return s.unicode(v)
	case day:
		return v.Time
	case moment:
		return v.Time
	case clock:
		return time.Duration(v).Hours() / 24
	case percentage:
		return float64(v)
	case truth, stamp, decimal:
		return s.text(v)
	}
	return cell
}

func newStyle(t testing.TB, f *excelize.File, code string) int {
	style := expect.Must(f.NewStyle(&excelize.Style{CustomNumFmt: &code}))
	return style
}

func setCell(t testing.TB, f *excelize.File, column, row int, value any) (name string) {
	name, err := excelize.CoordinatesToCellName(column+1, row+1)
	if err == nil {
		err = f.SetCellValue("Sheet1", name, value)
	}
	expect.NoError(t, err)
	return name
}
