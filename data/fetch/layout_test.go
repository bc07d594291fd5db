package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
)

// made are data sets of the layouts of the registered ones, with a dozen samples.
var made = make(map[string]*data.Table) // by the name of the registered one

const madeRows = 12

func TestMain(m *testing.M) {
	for _, o := range benchmarks() {
		d := expect.Must(data.Lookup(o.Name))
		t := &data.Table{Columns: o.Files[0].inputs(d.Target), Targets: []string{d.Target}}
		for i := range madeRows {
			row := make([]float64, d.Features+1)
			for j := range row {
				row[j] = float64((i*31+j*17)%1000-200) / 100 // whole numbers, negative ones, and those that .xls divides by 100, among them
			}
			row[0] = math.Sqrt(float64(i + 2)) // in full precision
			if f := o.Files[0]; f.Derive != nil {
				row = f.Derive([]float64{-122.25, 37.5, 41, float64(800 + i), 129, float64(322 + 2*i), float64(126 + i), 8.3252, 452600})
			}
			t.X, t.Y = append(t.X, row[:d.Features]...), append(t.Y, row[d.Features])
		}
		sum := expect.Must(t.Checksum(context.Background()))
		if d.Checksum == "" {
			sum = ""
		}
		made[o.Name] = t
		data.Register(data.Dataset{Name: "made-" + o.Name, Rows: madeRows, Features: d.Features, Target: d.Target, Checksum: sum})
		Register(Origin{"made-" + o.Name, o.Page, o.Files})
	}
	os.Exit(m.Run())
}

// pack returns the content of an origin's file for a table. If the file is an archive, the table is inside.
func pack(t testing.TB, f File, table *data.Table) []byte {
	t.Helper()
	content := packTable(t, f, table)
	switch {
	case f.Member == "":
		return content
	case strings.HasSuffix(f.URL, ".zip"):
		return zipArchive(t, member{"Readme.txt", []byte("about it")}, member{"__MACOSX/._" + f.Member, []byte("a Mac's")},
			member{"A Folder/" + f.Member, content}, member{"A Folder/other.csv", []byte("1,2\n")})
	}
	return tarArchive(t, member{"Folder/cal_housing.domain", []byte("longitude: continuous.\n")}, member{"Folder/" + f.Member, content})
}

func packTable(t testing.TB, f File, table *data.Table) []byte {
	t.Helper()
	var rows [][]string
	for r := range table.Rows() {
		rows = append(rows, fieldsOf(f, table, r))
	}
	var out bytes.Buffer
	switch f.format() {
	case formatXLS:
		return xlsFile(rows)
	case formatXLSX:
		return xlsxFile(t, f, rows)
	}
	for i := range f.Skip {
		if f.Named && i == f.Skip-1 {
			for j, name := range f.Fields {
				fmt.Fprintf(&out, `%s"%s"`, f.Delimiter[:min(j, 1)], strings.ReplaceAll(strings.ToUpper(name), "_", " "))
			}
		}
		out.WriteString("\n")
	}
	for _, row := range rows {
		switch {
		case f.Lines == 2:
			fmt.Fprintf(&out, " %s\n   %s\n", strings.Join(row[:11], "  "), strings.Join(row[11:], " "))
		case f.Delimiter == "":
			out.WriteString("   " + strings.Join(row, "   ") + " \r\n")
		default:
			out.WriteString(strings.Join(row, f.Delimiter) + "\r\n")
		}
	}
	out.WriteString("\r\n")
	return out.Bytes()
}

// fieldsOf returns the fields of a sample in a file.
func fieldsOf(f File, t *data.Table, r int) []string {
	values := make(map[string]float64)
	for j, name := range t.Columns {
		values[name] = t.X[r*len(t.Columns)+j]
	}
	values[t.Targets[0]] = t.Y[r]
	if f.Derive != nil { // counts, from what they were divided to
		values["households"] = math.Round(values["population"] / values["ave_occup"])
		values["rooms"] = math.Round(values["ave_rooms"] * values["households"])
		values["bedrooms"] = math.Round(values["ave_bedrms"] * values["households"])
		values["value"] = math.Round(values["med_house_val"] * 100000)
	}
	var fields []string
	for i, name := range f.Fields {
		switch {
		case name != "":
			fields = append(fields, strconv.FormatFloat(values[name], 'g', -1, 64))
		case i == 0:
			fields = append(fields, "M") // the sex of an abalone
		default:
			fields = append(fields, "0.95")
		}
	}
	return fields
}

type member struct {
	name    string
	content []byte
}

func zipArchive(t testing.TB, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range members {
		expect.Must(expect.Must(z.Create(m.name)).Write(m.content))
	}
	expect.NoError(t, z.Close())
	return out.Bytes()
}

func tarArchive(t testing.TB, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, m := range members {
		expect.NoError(t, w.WriteHeader(&tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.content)), Format: tar.FormatUSTAR}))
		w.Write(m.content)
	}
	w.Close()
	z.Close()
	return out.Bytes()
}

// xlsxFile returns a workbook with a second sheet, and blank rows and cells behind the
// samples.
func xlsxFile(t testing.TB, f File, rows [][]string) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer book.Close()
	set := func(sheet string, column, row int, v any) {
		expect.NoError(t, book.SetCellValue(sheet, expect.Must(excelize.CoordinatesToCellName(column, row)), v))
	}
	for j, name := range f.Fields {
		set("Sheet1", j+1, 1, strings.ToUpper(name))
	}
	for r, row := range rows {
		for j, field := range row {
			v := expect.Must(strconv.ParseFloat(field, 64))
			set("Sheet1", j+1, r+2, v)
		}
	}
	style := expect.Must(book.NewStyle(&excelize.Style{NumFmt: 2})) // two decimals are shown, and all are stored
	expect.NoError(t, book.SetCellStyle("Sheet1", "A2", "L5", style))
	set("Sheet1", 12, len(rows)+9, "")
	expect.Must(book.NewSheet("Sheet2"))
	set("Sheet2", 1, 1, "other")
	out := expect.Must(book.WriteToBuffer())
	return out.Bytes()
}

// xlsFile returns a workbook of Excel 97 with a header, after [MS-XLS] and [MS-CFB]: one
// sheet, numbers in each of the ways that there are.
func xlsFile(rows [][]string) []byte {
	record := func(id uint16, body ...any) []byte {
		var b bytes.Buffer
		for _, v := range body {
			binary.Write(&b, binary.LittleEndian, v)
		}
		return append(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, id), uint16(b.Len())), b.Bytes()...)
	}
	bof := func(kind uint16) []byte {
		return record(biffBOF, uint16(0x0600), kind, uint16(0), uint16(1997), uint32(0), uint32(0))
	}
	const ( // records that only describe the workbook, and a text
		biffSheet = 0x0085
		biffText  = 0x00FD
	)
	var sheet []byte
	sheet = append(sheet, bof(0x0010)...)
	for j := range rows[0] {
		sheet = append(sheet, record(biffText, uint16(0), uint16(j), uint16(0), uint32(0))...)
	}
	for i, row := range rows {
		r := uint16(i + 1)
		for j := 0; j < len(row); j++ {
			v := expect.Must(strconv.ParseFloat(row[j], 64))
			rk, ok := encodeRK(v)
			switch {
			case ok && j+1 < len(row) && isRK(row[j+1]):
				next, _ := strconv.ParseFloat(row[j+1], 64)
				nextRK, _ := encodeRK(next)
				sheet = append(sheet, record(biffMulRK, r, uint16(j), uint16(0), rk, uint16(0), nextRK, uint16(j+1))...)
				j++
			case ok:
				sheet = append(sheet, record(biffRK, r, uint16(j), uint16(0), rk)...)
			case i%2 == 0:
				sheet = append(sheet, record(biffNumber, r, uint16(j), uint16(0), v)...)
			default:
				sheet = append(sheet, record(biffFormula, r, uint16(j), uint16(0), v, uint16(0), uint32(0), uint16(0))...)
			}
		}
	}
	sheet = append(sheet, record(biffEOF)...)
	head := bof(0x0005)
	name := []byte("\x06\x00Sheet1")
	start := len(head) + len(record(biffSheet, uint32(0), uint16(0), name)) + len(record(biffEOF))
	stream := slices.Concat(head, record(biffSheet, uint32(start), uint16(0), name), record(biffEOF), sheet)
	return compoundFile(stream)
}

func isRK(field string) bool {
	v, err := strconv.ParseFloat(field, 64)
	_, ok := encodeRK(v)
	return err == nil && ok
}

// encodeRK returns a number in 30 bits, and whether it is exact.
func encodeRK(v float64) (uint32, bool) {
	for hundred, scaled := range []float64{v, v * 100} {
		if n := int32(scaled); float64(n) == scaled && n > -1<<28 && n < 1<<28 && (hundred == 0 || scaled/100 == v) {
			return uint32(n<<2) | 2 | uint32(hundred), true
		}
	}
	bits := math.Float64bits(v)
	return uint32(bits >> 32), bits&(1<<34-1) == 0
}

// compoundFile returns a compound file with one stream, the workbook.
func compoundFile(stream []byte) []byte {
	const sector, end, free = 512, 0xFFFFFFFE, 0xFFFFFFFF
	if len(stream) < 4096 { // shorter ones are stored another way
		stream = append(stream, make([]byte, 4096-len(stream))...)
	}
	size := len(stream)
	sectors := (size + sector - 1) / sector
	stream = append(stream, make([]byte, sectors*sector-size)...)
	tables := 1
	for tables*sector/4 < sectors+1+tables {
		tables++
	}
	var fat []uint32 // tables, directory, stream
	for range tables {
		fat = append(fat, 0xFFFFFFFD)
	}
	fat = append(fat, end)
	for i := range sectors {
		fat = append(fat, uint32(tables+2+i))
	}
	fat[len(fat)-1] = end
	for len(fat) < tables*sector/4 {
		fat = append(fat, free)
	}
	var out bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			binary.Write(&out, binary.LittleEndian, v)
		}
	}
	put(uint64(0xE11AB1A1E011CFD0), [16]byte{}, uint16(0x3E), uint16(3), uint16(0xFFFE), uint16(9), uint16(6), [6]byte{},
		uint32(0), uint32(tables), uint32(tables), uint32(0), uint32(4096), uint32(end), uint32(0), uint32(end), uint32(0))
	for i := range 109 {
		if i < tables {
			put(uint32(i))
		} else {
			put(uint32(free))
		}
	}
	put(fat)
	entry := func(name string, kind byte, child, start uint32, size uint64) {
		var letters [32]uint16
		for i, c := range name {
			letters[i] = uint16(c)
		}
		put(letters, uint16(2*len(name)+2), kind, byte(1), uint32(free), uint32(free), child, [16]byte{}, uint32(0), uint64(0), uint64(0), start, size)
	}
	entry("Root Entry", 5, 1, end, 0)
	entry("Workbook", 2, free, uint32(tables+1), uint64(size))
	for range 2 {
		put([64]byte{}, uint16(0), byte(0), byte(0), uint32(free), uint32(free), uint32(free), [16]byte{}, uint32(0), uint64(0), uint64(0), uint32(0), uint64(0))
	}
	out.Write(stream)
	return out.Bytes()
}

// Every file of every origin, with made numbers, becomes the table that it was made
// of.
func TestLayouts(t *testing.T) {
	for _, o := range benchmarks() {
		d := expect.Must(data.Lookup("made-" + o.Name))
		for _, f := range o.Files {
			content := pack(t, f, made[o.Name])
			got, err := f.convert(t.Context(), d, bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Errorf("%s: %v", f.URL, err)
				continue
			}
			checkSameTable(t, got, made[o.Name])
		}
	}
}

// The same with the numbers that the data sets have.
func TestRealLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, o := range benchmarks() {
		real := realTable(t, o.Name)
		if real == nil {
			continue
		}
		d := expect.Must(data.Lookup(o.Name))
		for _, f := range o.Files {
			content := pack(t, f, real)
			got, err := f.convert(t.Context(), d, bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Errorf("%s: %v", f.URL, err)
				continue
			}
			checkSameTable(t, got, real)
		}
	}
}

func realTable(t *testing.T, name string) *data.Table {
	t.Helper()
	dir := os.Getenv("SML_DATA")
	if dir == "" {
		t.Skip("SML_DATA is not set to a folder with the data sets' files")
	}
	if _, err := read.Locate(name, dir); err != nil {
		return nil // superconduct and year
	}
	return expect.Must(read.Dataset(t.Context(), name, dir, data.Sound, 0, read.Options{}))
}

func checkSameTable(t *testing.T, got, want *data.Table) {
	t.Helper()
	if !slices.Equal(got.Columns, want.Columns) || !slices.Equal(got.Targets, want.Targets) || !slices.Equal(got.X, want.X) || !slices.Equal(got.Y, want.Y) {
		t.Errorf("other columns or values: %v, %v", got.Columns, want.Columns)
	}
}

// Three files written as their archives have them: byte for byte, by the SHA-256
// that others published of what they downloaded.
func TestArchivesBytes(t *testing.T) {
	var naval, diabetes, boston strings.Builder
	for i, row := range fields(t, "naval") {
		row = slices.Insert(row, 16, fmt.Sprint(0.95+float64(i/(26*9))/1000)) // the compressor's decay, which is left out
		for _, field := range row {
			v := expect.Must(strconv.ParseFloat(field, 64))
			fmt.Fprintf(&naval, "   %.7e", v)
		}
		naval.WriteString("\n")
	}
	diabetes.WriteString("AGE\tSEX\tBMI\tBP\tS1\tS2\tS3\tS4\tS5\tS6\tY\n")
	for _, row := range fields(t, "diabetes") {
		diabetes.WriteString(strings.Join(row, "\t") + "\n")
	}
	for _, row := range fields(t, "boston") {
		for j, field := range row {
			fmt.Fprintf(&boston, "%*s", []int{8, 7, 8, 3, 8, 8, 7, 8, 4, 7, 7, 7, 7, 7}[j], field)
		}
		boston.WriteString("\n")
	}
	for _, test := range []struct {
		name, content, sum string
		file               int
	}{
		{"naval", naval.String(), "de0ea69da1efaab8b9655ffed828547d10dd68c1fb8c6e0163e6a988def393a6", 0},       // data.txt
		{"diabetes", diabetes.String(), "4733febee697862c22139cdac87478a300ce0d101593deb07ed6c0f3328a99cd", 0}, // diabetes.tab.txt
		{"boston", boston.String(), "baadf72995725d76efe787b664e1f083388c79ba21ef9a7990d87f774184735a", 1},     // housing.data
	} {
		sum := sha256.Sum256([]byte(test.content))
		if got := hex.EncodeToString(sum[:]); got != test.sum {
			t.Errorf("%s: SHA-256 %s, want %s", test.name, got, test.sum)
		}
		o := expect.Must(Lookup(test.name))
		d := expect.Must(data.Lookup(test.name))
		got, err := o.Files[test.file].convert(t.Context(), d, strings.NewReader(test.content), int64(len(test.content)))
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		checkSameTable(t, got, realTable(t, test.name))
	}
}

// fields returns the samples of a data set's file as they are written there.
func fields(t *testing.T, name string) [][]string {
	t.Helper()
	dir := os.Getenv("SML_DATA")
	if dir == "" {
		t.Skip("SML_DATA is not set to a folder with the data sets' files")
	}
	content, err := os.ReadFile(filepath.Join(dir, name+".csv"))
	if err != nil {
		t.Skip(err)
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(content)), "\n")[1:] {
		rows = append(rows, strings.Split(strings.TrimSpace(line), ","))
	}
	return rows
}
