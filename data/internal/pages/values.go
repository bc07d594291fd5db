package pages

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// values decodes the values of a page. Missing values are not among them.
type values interface {
	next() (parquet.Value, error)
}

// shape is the type of a column's values.
type shape struct {
	kind   parquet.Kind
	length int // bytes of a value of fixed length
}

// width returns the bytes of a value, 0 if they differ.
func (s shape) width() int {
	switch s.kind {
	case parquet.Int32, parquet.Float:
		return 4
	case parquet.Int64, parquet.Double:
		return 8
	case parquet.Int96:
		return 12
	case parquet.FixedLenByteArray:
		return s.length
	}
	return 0
}

// value returns the value that stands in bytes, which are as many as its width.
func (s shape) value(b []byte) parquet.Value {
	switch s.kind {
	case parquet.Int32:
		return parquet.Int32Value(int32(binary.LittleEndian.Uint32(b)))
	case parquet.Float:
		return parquet.FloatValue(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case parquet.Int64:
		return parquet.Int64Value(int64(binary.LittleEndian.Uint64(b)))
	case parquet.Double:
		return parquet.DoubleValue(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case parquet.Int96:
		return parquet.Int96Value(deprecated.Int96{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])})
	case parquet.FixedLenByteArray:
		return parquet.FixedLenByteArrayValue(b)
	}
	return parquet.ByteArrayValue(b)
}

// newValues returns a decoder of a page's values. The dictionary may be nil.
func newValues(encoding format.Encoding, text []byte, s shape, d *dictionary) (values, error) {
	switch encoding {
	case format.Plain:
		if s.kind == parquet.Boolean {
			return &packedTruths{text: text}, nil
		}
		return &plain{text: text, shape: s}, nil
	case format.PlainDictionary, format.RLEDictionary:
		return newIndexed(text, d)
	case format.RLE:
		return newTruths(text, s)
	case format.DeltaBinaryPacked:
		return newDeltaNumbers(text, s)
	case format.DeltaLengthByteArray:
		return newDeltaTexts(text, s, false)
	case format.DeltaByteArray:
		return newDeltaTexts(text, s, true)
	case format.ByteStreamSplit:
		return newSplit(text, s)
	}
	return nil, unsupportedError("encoding", encoding)
}

// plain decodes values that stand one behind the other.
type plain struct {
	text  []byte
	shape shape
}

func (p *plain) next() (parquet.Value, error) {
	n := p.shape.width()
	if p.shape.kind == parquet.ByteArray {
		if len(p.text) < 4 {
			return parquet.Value{}, io.ErrUnexpectedEOF
		}
		length := binary.LittleEndian.Uint32(p.text)
		p.text = p.text[4:]
		if length > MaxText {
			return parquet.Value{}, errLongText
		}
		n = int(length)
	}
	if n > len(p.text) {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	v := p.shape.value(p.text[:n:n])
	p.text = p.text[n:]
	return v, nil
}

// packedTruths decodes truth values of a bit each.
type packedTruths struct {
	text []byte
	bit  uint64
}

func (p *packedTruths) next() (parquet.Value, error) {
	if p.bit>>3 >= uint64(len(p.text)) {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	p.bit++
	return parquet.BooleanValue(bits(p.text, p.bit-1, 1) == 1), nil
}

// truths decodes truth values in runs.
type truths struct{ *runs }

func newTruths(text []byte, s shape) (values, error) {
	if s.kind != parquet.Boolean || len(text) < 4 {
		return nil, errBroken
	}
	r, err := newRuns(text[4:], 1) // behind the length
	return truths{r}, err
}

func (t truths) next() (parquet.Value, error) {
	v, err := t.runs.next()
	return parquet.BooleanValue(v == 1), err
}

// dictionary is the values that pages of a column refer to by index.
type dictionary struct {
	text  []byte
	shape shape
	ends  []uint32 // of texts of different lengths
}

// newDictionary finds count values in a page.
func newDictionary(text []byte, count int, s shape) (*dictionary, error) {
	d := &dictionary{text: text, shape: s}
	switch width := s.width(); {
	case s.kind == parquet.Boolean:
		return nil, errBroken
	case s.kind != parquet.ByteArray:
		if width < 1 || count > len(text)/width {
			return nil, io.ErrUnexpectedEOF
		}
		d.text = text[:count*width]
		return d, nil
	case count > len(text)/4:
		return nil, io.ErrUnexpectedEOF
	}
	p := plain{text: text, shape: s}
	d.ends = make([]uint32, 0, count)
	for range count {
		if _, err := p.next(); err != nil {
			return nil, err
		}
		d.ends = append(d.ends, uint32(len(text)-len(p.text)))
	}
	return d, nil
}

func (d *dictionary) at(i uint32) (parquet.Value, error) {
	if width := d.shape.width(); width > 0 {
		if int64(i) >= int64(len(d.text)/width) {
			return parquet.Value{}, errBroken
		}
		at := int(i) * width
		return d.shape.value(d.text[at : at+width : at+width]), nil
	}
	if int64(i) >= int64(len(d.ends)) {
		return parquet.Value{}, errBroken
	}
	from := uint32(4) // behind the length
	if i > 0 {
		from += d.ends[i-1]
	}
	return d.shape.value(d.text[from:d.ends[i]:d.ends[i]]), nil
}

// indexed decodes indices into a dictionary.
type indexed struct {
	*runs
	dictionary *dictionary
}

func newIndexed(text []byte, d *dictionary) (values, error) {
	if d == nil {
		return nil, errBroken
	}
	if len(text) == 0 { // every value is missing
		return &indexed{&runs{}, d}, nil
	}
	r, err := newRuns(text[1:], int(text[0]))
	return &indexed{r, d}, err
}

func (x *indexed) next() (parquet.Value, error) {
	i, err := x.runs.next()
	if err != nil {
		return parquet.Value{}, err
	}
	return x.dictionary.at(i)
}

// deltaNumbers decodes whole numbers as differences.
type deltaNumbers struct {
	*deltas
	shape shape
}

func newDeltaNumbers(text []byte, s shape) (values, error) {
	if s.kind != parquet.Int32 && s.kind != parquet.Int64 {
		return nil, errBroken
	}
	d, err := newDeltas(text)
	return &deltaNumbers{d, s}, err
}

func (d *deltaNumbers) next() (parquet.Value, error) {
	v, err := d.deltas.next()
	if d.shape.kind == parquet.Int32 {
		return parquet.Int32Value(int32(v)), err
	}
	return parquet.Int64Value(v), err
}

// deltaTexts decodes texts whose lengths are differences, and which may begin like the text
// before.
type deltaTexts struct {
	prefixes, lengths *deltas // no prefixes: nil
	text              []byte
	before            []byte
	shape             shape
}

func newDeltaTexts(text []byte, s shape, prefixes bool) (values, error) {
	if s.kind != parquet.ByteArray && s.kind != parquet.FixedLenByteArray {
		return nil, errBroken
	}
	d := &deltaTexts{shape: s}
	var err error
	if prefixes {
		if d.prefixes, text, err = deltasAndRest(text); err != nil {
			return nil, err
		}
	}
	d.lengths, d.text, err = deltasAndRest(text)
	return d, err
}

// deltasAndRest returns the numbers that a text begins with, and the text behind them.
func deltasAndRest(text []byte) (numbers *deltas, rest []byte, err error) {
	if numbers, err = newDeltas(text); err != nil {
		return nil, nil, err
	}
	again := *numbers
	rest, err = again.rest()
	return numbers, rest, err
}

func (d *deltaTexts) next() (parquet.Value, error) {
	length, err := d.lengths.next()
	if err != nil {
		return parquet.Value{}, err
	}
	if length < 0 || length > int64(len(d.text)) {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	suffix := d.text[:length:length]
	d.text = d.text[length:]
	if d.prefixes == nil {
		return d.checked(suffix)
	}
	prefix, err := d.prefixes.next()
	if err != nil {
		return parquet.Value{}, err
	}
	if prefix < 0 || prefix > int64(len(d.before)) {
		return parquet.Value{}, errBroken
	}
	d.before = append(d.before[:prefix], suffix...)
	return d.checked(d.before)
}

func (d *deltaTexts) checked(text []byte) (parquet.Value, error) {
	switch {
	case len(text) > MaxText:
		return parquet.Value{}, errLongText
	case d.shape.kind == parquet.FixedLenByteArray && len(text) != d.shape.length:
		return parquet.Value{}, errBroken
	}
	return d.shape.value(text), nil
}

// split decodes values whose first bytes stand together, and then their second bytes.
type split struct {
	text  []byte
	shape shape
	count int
	i     int
	value []byte
}

func newSplit(text []byte, s shape) (values, error) {
	width := s.width()
	if width < 1 || s.kind == parquet.Int96 {
		return nil, errBroken
	}
	return &split{text: text, shape: s, count: len(text) / width, value: make([]byte, width)}, nil
}

func (x *split) next() (parquet.Value, error) {
	if x.i == x.count {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	for k := range x.value {
		x.value[k] = x.text[k*x.count+x.i]
	}
	x.i++
	return x.shape.value(x.value), nil
}
