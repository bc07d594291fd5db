package data

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"sml/internal/safefile"
	"sml/internal/strict"
)

// CacheName is what the name of a file ends in beside it that keeps the table read
// from it; where none can be written there, it is in the folder sml/tables of the
// user's cache directory. The table is taken from there while the bytes of the file
// are those that it was read from, and the same columns are asked for as the same, or
// some of them where all are numbers and none is missing.
const CacheName = ".sml-cache"

// cacheFormat is raised with every change by which the same text would be another
// table, or a cache another file.
const cacheFormat = 2

// cached describes a table in a cache. Behind it stand the values of its groups, one
// after the other, as little-endian float64.
type cached struct {
	Source string `json:"source"` // contentSum of the file
	Asked  string `json:"asked"`  // what was read as what: a SHA-256 of asked
	Plain  bool   `json:"plain"`  // it is all numbers, no row of the file is left out, and any column of it may be read by itself

	Places [5][]int `json:"places"` // in the file, of the columns of each group, from 0
	Rows   int      `json:"rows"`

	Fields     []Field  `json:"fields,omitempty"`
	ByField    Field    `json:"by"`
	Unlabelled int      `json:"unlabelled,omitempty"`
	Blank      int      `json:"blank,omitempty"`
	Remarks    []string `json:"remarks,omitempty"`

	Sums []uint32 `json:"sums"` // CRC-32C of the values, of cachePart of each group in turn
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// asked is all that decides what the rows of a file become.
type asked struct {
	Names       []string
	Columns     [5][]int
	Header, Raw bool
	Comma       bool
	Kinds       []Kind
	Dates       []string
	Fields      []*Field
}

func (s *Stream) asked() string {
	c := &s.choice
	a := asked{Names: c.names, Columns: c.read(), Header: s.Layout.Header, Raw: s.raw != nil, Comma: s.Layout.DecimalComma}
	for _, raw := range slices.Concat(s.raw, s.by) {
		a.Kinds, a.Dates, a.Fields = append(a.Kinds, raw.asked), append(a.Dates, raw.layout), append(a.Fields, raw.field)
	}
	text, _ := json.Marshal(a) // texts and numbers
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// cacheFiles are where the cache of a file can be, the better place first.
func cacheFiles(path string) []string {
	files := []string{path + CacheName}
	dir, err := os.UserCacheDir()
	whole, errPath := filepath.Abs(path)
	if err == nil && errPath == nil {
		sum := sha256.Sum256([]byte(whole))
		files = append(files, filepath.Join(dir, "sml", "tables", hex.EncodeToString(sum[:8])+CacheName))
	}
	return files
}

// cachedTable is the stream's table, from a cache or for one. Who may read the file may
// read its cache.
func (s *Stream) cachedTable(ctx context.Context, o Options) (*Table, error) {
	info, err := s.file.Stat()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if t := s.fromCache(ctx, cmp.Or(o.MaxValues, defaultMost)); t != nil {
		return t, s.Close()
	}
	t, err := s.table(o)
	if err == nil {
		if err := s.keep(t, info.Mode().Perm()&^0o111); err != nil {
			readingOf(ctx).Warn(err)
		}
	}
	return t, err
}

// fromCache returns the table that the stream would read, nil where no cache has it.
func (s *Stream) fromCache(ctx context.Context, most int) *Table {
	source := ""
	for _, file := range cacheFiles(s.Name) {
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		t, err := s.fromCacheFile(ctx, f, most, &source)
		f.Close()
		if err == nil {
			return t
		}
	}
	return nil
}

var errOtherTable = errors.New("it is of another table")

func (s *Stream) fromCacheFile(ctx context.Context, f *os.File, most int, source *string) (*Table, error) {
	c, from, err := openCache(f)
	if err != nil {
		return nil, err
	}
	asked := c.Asked == s.asked()
	if !asked && (!c.Plain || slices.Contains(s.newPlan(len(c.Places)).texts, true)) {
		return nil, errOtherTable
	}
	values, _ := c.size()
	told := func(read int64) { s.reading.Progress(read, s.size+values) }
	if *source == "" {
		if *source, err = sumOf(ctx, s.file, s.size, told); err != nil {
			return nil, err
		}
	}
	if c.Source != *source {
		return nil, errOtherTable
	}
	t := s.newTable()
	if c.Rows > most/t.width() || freeMemory() < int64(c.Rows*t.width())*8 {
		return nil, errOtherTable // reading it says what is wrong
	}
	if err := c.read(ctx, f, from, t, s.choice.read(), func(read int64) { told(s.size + read) }); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(t.W, func(v float64) bool { return v < 0 }) {
		return nil, errOtherTable // likewise
	}
	if asked {
		t.Fields, t.ByField, t.Unlabelled, t.Blank, t.Remarks = c.Fields, c.ByField, c.Unlabelled, c.Blank, c.Remarks
		return t, nil
	}
	count := func(rows int) {
		s.rows = rows
		for _, raw := range slices.Concat(s.raw, s.by) {
			raw.numbers = rows
		}
	}
	count(c.Rows)
	if t, err = s.settle(t, &problems{at: s.rec.at()}); err != nil {
		count(0) // reading it says what is wrong
	}
	return t, err
}

// cacheBegins are the first bytes of a cache; then come the format, the length of the
// description, its SHA-256, and itself.
const cacheBegins = "sml table cache\n"

const cacheHead = len(cacheBegins) + 4 + 4 + sha256.Size

// cacheHeader is a description with what stands before it.
func cacheHeader(text []byte) []byte {
	head := binary.LittleEndian.AppendUint32([]byte(cacheBegins), cacheFormat)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	sum := sha256.Sum256(text)
	return append(append(head, sum[:]...), text...)
}

// openCache reads the description of a cache, and returns where the values begin.
func openCache(f interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}) (c cached, from int64, err error) {
	head := make([]byte, cacheHead)
	if _, err := f.ReadAt(head, 0); err != nil {
		return c, 0, err
	}
	rest := head[len(cacheBegins):]
	if !bytes.HasPrefix(head, []byte(cacheBegins)) || binary.LittleEndian.Uint32(rest) != cacheFormat {
		return c, 0, errors.New("it is no cache of this version")
	}
	info, err := f.Stat()
	if err != nil {
		return c, 0, err
	}
	n := int64(binary.LittleEndian.Uint32(rest[4:]))
	from = int64(cacheHead) + n
	if from > info.Size() {
		return c, 0, io.ErrUnexpectedEOF
	}
	text := make([]byte, n)
	if _, err := f.ReadAt(text, int64(cacheHead)); err != nil {
		return c, 0, err
	}
	if sum := sha256.Sum256(text); !bytes.Equal(sum[:], rest[8:]) {
		return c, 0, errors.New("its description is damaged")
	}
	if err := strict.Unmarshal(text, &c); err != nil {
		return c, 0, err
	}
	if want, ok := c.size(); !ok || info.Size()-from != want {
		return c, 0, errors.New("it is cut short")
	}
	return c, from, nil
}

// size is that of the values, in bytes; ok is false where the description contradicts
// itself.
func (c *cached) size() (n int64, ok bool) {
	parts, columns := 0, 0
	for _, places := range c.Places {
		if len(places) > MaxColumns || slices.ContainsFunc(places, func(i int) bool { return i < 0 || i >= MaxColumns }) {
			return 0, false
		}
		parts += c.parts(len(places))
		columns += len(places)
	}
	if c.Rows < 1 || columns < 1 || c.Rows > math.MaxInt/8/columns || parts != len(c.Sums) {
		return 0, false
	}
	return int64(c.Rows) * int64(columns) * 8, true
}

// cachePart is how many values are read at once, or as many as are in whole rows of so
// many columns.
const cachePart = 1 << 17

func cacheRows(columns int) int { return max(1, cachePart/columns) }

// parts is in how many parts a group of so many columns is read.
func (c *cached) parts(columns int) int {
	if columns == 0 {
		return 0
	}
	at := cacheRows(columns)
	return c.Rows/at + min(1, c.Rows%at)
}

// read reads the columns at these places in the file into a table; told is told how many
// bytes are read, about.
func (c *cached) read(ctx context.Context, f io.ReaderAt, from int64, t *Table, want [5][]int, told func(read int64)) error {
	moves, err := c.moves(want)
	if err != nil {
		return err
	}
	to := t.groups()
	for g, columns := range want {
		if len(columns) > 0 {
			*to[g].values = make([]float64, c.Rows*len(columns))
		}
	}
	type part struct {
		group, row, rows int
		at               int64
		sum              uint32
	}
	var parts []part
	sums, largest := c.Sums, 0
	for g, places := range c.Places {
		for row := 0; row < c.Rows && len(places) > 0; row += cacheRows(len(places)) {
			p := part{g, row, min(cacheRows(len(places)), c.Rows-row), from, sums[0]}
			parts, sums = append(parts, p), sums[1:]
			size := p.rows * len(places) * 8
			from, largest = from+int64(size), max(largest, size)
		}
	}
	size, _ := c.size()
	say := func(done int) { told(int64(float64(size) * float64(done) / float64(len(parts)))) }
	return share(ctx, len(parts), largest, say, func(i int, buffer []byte) error {
		p := parts[i]
		columns := len(c.Places[p.group])
		text := buffer[:p.rows*columns*8]
		if _, err := f.ReadAt(text, p.at); err != nil {
			return err
		}
		if crc32.Checksum(text, castagnoli) != p.sum {
			return errors.New("its values are damaged")
		}
		value := func(k int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(text[8*k:])) }
		if moves == nil {
			dst := (*to[p.group].values)[p.row*columns:][:p.rows*columns]
			for k := range dst {
				dst[k] = value(k)
			}
			return nil
		}
		for _, m := range moves[p.group] {
			dst, width := *to[m.group].values, len(want[m.group])
			for r := range p.rows {
				dst[(p.row+r)*width+m.to] = value(r*columns + m.from)
			}
		}
		return nil
	})
}

// move says to which place of which group of a table a column of a cache goes.
type move struct{ from, group, to int }

// moves are those of each group of the cache; nil: all groups are as they are.
func (c *cached) moves(want [5][]int) (moves [][]move, err error) {
	if slices.EqualFunc(c.Places[:], want[:], slices.Equal) {
		return nil, nil
	}
	where := make(map[int][2]int) // of a column of the file, its group and place there
	for g, places := range c.Places {
		for at, i := range places {
			where[i] = [2]int{g, at}
		}
	}
	moves = make([][]move, len(c.Places))
	for g, columns := range want {
		for at, i := range columns {
			is, ok := where[i]
			if !ok {
				return nil, errOtherTable
			}
			moves[is[0]] = append(moves[is[0]], move{is[1], g, at})
		}
	}
	return moves, nil
}

// keep writes a table that the stream has read to its cache, with these permissions.
func (s *Stream) keep(t *Table, mode fs.FileMode) error {
	c := cached{
		Source: s.text.in.source.sum(), Asked: s.asked(), Places: s.choice.read(), Rows: t.Rows(),
		Fields: t.Fields, ByField: t.ByField, Unlabelled: t.Unlabelled, Blank: t.Blank, Remarks: t.Remarks,
	}
	number := func(f Field) bool { return f.Kind == "" || f.Kind == Number }
	c.Plain = t.Unlabelled+t.Blank == 0 && number(t.ByField) && !slices.ContainsFunc(t.Fields, func(f Field) bool { return !number(f) }) &&
		!slices.ContainsFunc(t.X, math.IsNaN) && !slices.ContainsFunc(t.B, math.IsNaN)
	for _, g := range t.groups() {
		if len(g.names) == 0 {
			continue
		}
		var text []byte
		for part := range slices.Chunk(*g.values, cacheRows(len(g.names))*len(g.names)) {
			text = appendBits(text[:0], part)
			c.Sums = append(c.Sums, crc32.Checksum(text, castagnoli))
		}
	}
	var failed []error
	for i, file := range cacheFiles(s.Name) {
		if i > 0 {
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				failed = append(failed, err)
				continue
			}
		}
		err := ours(file)
		if err == nil {
			os.Chmod(file, mode) // one that is replaced hands its permissions on
			err = safefile.Replace(file, func(w io.Writer) error { return c.write(w, t, mode) })
		}
		if err == nil {
			return nil
		}
		failed = append(failed, err)
	}
	return fmt.Errorf("the table is read, and cannot be kept for the next time: %w", errors.Join(failed...))
}

// ours is an error for a file that is no cache.
func ours(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().IsRegular() {
		begins := make([]byte, len(cacheBegins))
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := io.ReadFull(f, begins); err == nil && string(begins) == cacheBegins {
			return nil
		}
	}
	return fmt.Errorf("%s is somebody's own file", show(path))
}

func (c *cached) write(w io.Writer, t *Table, mode fs.FileMode) error {
	if f, ok := w.(interface{ Chmod(fs.FileMode) error }); ok {
		f.Chmod(mode) // a system that has no permissions may refuse
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err := w.Write(cacheHeader(text)); err != nil {
		return err
	}
	var values []byte
	for _, g := range t.groups() {
		for part := range slices.Chunk(*g.values, cachePart) {
			values = appendBits(values[:0], part)
			if _, err := w.Write(values); err != nil {
				return err
			}
		}
	}
	return nil
}
