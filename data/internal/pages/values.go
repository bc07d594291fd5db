package pages

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// valueDecoder decodes the values of a page, one after the other. Missing values are not stored
// in a page, and next does not return them.
type valueDecoder interface {
	// next returns io.ErrUnexpectedEOF if the page has no further value. The bytes of a value
	// are valid until the next call.
	next() (parquet.Value, error)
}

// valueType is the physical type of a column's values.
type valueType struct {
	kind        parquet.Kind
	fixedLength int // bytes of a value if kind is FixedLenByteArray; else 0
}

// newValueType returns the type of a column. It returns an error if the schema and the metadata
// of the row group disagree, or if values of fixed length are longer than MaxText.
func newValueType(column *parquet.Column, metadata *format.ColumnMetaData) (valueType, error) {
	t := valueType{kind: column.Type().Kind()}
	isNullType := t.kind < 0 // every value is missing, and the physical type is arbitrary
	if isNullType {
		t.kind = parquet.Kind(metadata.Type)
	}
	if t.kind != parquet.Kind(metadata.Type) {
		return t, errInconsistent
	}
	if t.kind == parquet.FixedLenByteArray {
		t.fixedLength = column.Type().Length()
		if t.fixedLength < 1 || t.fixedLength > MaxText {
			return t, errLongText
		}
	}
	return t, nil
}

// byteWidth returns the number of bytes of a value, and 0 if it differs from value to value or
// is less than a byte.
func (t valueType) byteWidth() int {
	switch t.kind {
	case parquet.Int32, parquet.Float:
		return 4
	case parquet.Int64, parquet.Double:
		return 8
	case parquet.Int96:
		return 12
	case parquet.FixedLenByteArray:
		return t.fixedLength
	}
	return 0
}

// decode returns the value with the given bytes. Their number must be byteWidth, unless that
// is 0.
func (t valueType) decode(b []byte) parquet.Value {
	switch t.kind {
	case parquet.Int32:
		return parquet.Int32Value(int32(binary.LittleEndian.Uint32(b)))
	case parquet.Float:
		return parquet.FloatValue(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case parquet.Int64:
		return parquet.Int64Value(int64(binary.LittleEndian.Uint64(b)))
	case parquet.Double:
		return parquet.DoubleValue(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case parquet.Int96:
		return parquet.Int96Value(deprecated.Int96{
			binary.LittleEndian.Uint32(b),
			binary.LittleEndian.Uint32(b[4:]),
			binary.LittleEndian.Uint32(b[8:]),
		})
	case parquet.FixedLenByteArray:
		return parquet.FixedLenByteArrayValue(b)
	}
	return parquet.ByteArrayValue(b)
}

// newValueDecoder returns the decoder of a page's uncompressed text. The dictionary is nil if the
// chunk has none. The encodings are described at
// https://parquet.apache.org/docs/file-format/data-pages/encodings.
func newValueDecoder(encoding format.Encoding, text []byte, t valueType, d *dictionary) (valueDecoder, error) {
	switch encoding {
	case format.Plain:
		if t.kind == parquet.Boolean {
			return &packedBooleans{text: text}, nil
		}
		return &plainDecoder{text: text, valueType: t}, nil
	case format.PlainDictionary, format.RLEDictionary:
		return newDictionaryIndices(text, d)
	case format.RLE:
		return newBooleanRuns(text, t)
	case format.DeltaBinaryPacked:
		return newDeltaNumbers(text, t)
	case format.DeltaLengthByteArray:
		return newDeltaTexts(text, t)
	case format.DeltaByteArray:
		return newPrefixedDeltaTexts(text, t)
	case format.ByteStreamSplit:
		return newByteStreams(text, t)
	}
	return nil, unsupportedError("encoding", encoding)
}

// plainDecoder decodes values stored one after the other; a byte array follows its
// length.
type plainDecoder struct {
	text      []byte // unread values
	valueType valueType
}

// next returns the next value. It returns errLongText for a byte array of more than MaxText bytes.
func (p *plainDecoder) next() (parquet.Value, error) {
	size := p.valueType.byteWidth()
	if p.valueType.kind == parquet.ByteArray {
		if len(p.text) < lengthBytes {
			return parquet.Value{}, io.ErrUnexpectedEOF
		}
		length := binary.LittleEndian.Uint32(p.text)
		p.text = p.text[lengthBytes:]
		if length > MaxText {
			return parquet.Value{}, errLongText
		}
		size = int(length)
	}
	if size > len(p.text) {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	v := p.valueType.decode(p.text[:size:size]) // without spare capacity, so that no caller appends into the page
	p.text = p.text[size:]
	return v, nil
}

// packedBooleans decodes booleans that take a bit each, the lowest bit of a byte first. The last byte
// may have spare bits: the number of values is known from the page's header.
type packedBooleans struct {
	text      []byte
	bitOffset uint64 // of the next value
}

// next returns the next boolean.
func (p *packedBooleans) next() (parquet.Value, error) {
	if p.bitOffset/bitsPerByte >= uint64(len(p.text)) {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	bit := bitsAt(p.text, p.bitOffset, 1)
	p.bitOffset++
	return parquet.BooleanValue(bit == 1), nil
}

// booleanRuns decodes booleans stored as runs of equal values.
type booleanRuns struct{ *hybridRuns }

// newBooleanRuns returns a decoder of runs, before which their length is stored in four bytes; the end of
// the page tells it, too. It returns an error if the values are not booleans.
func newBooleanRuns(text []byte, t valueType) (valueDecoder, error) {
	if t.kind != parquet.Boolean || len(text) < lengthBytes {
		return nil, errInconsistent
	}
	const booleanBits = 1
	runs, err := newHybridRuns(text[lengthBytes:], booleanBits)
	return booleanRuns{runs}, err
}

// next returns the next boolean, which is stored as 0 or 1.
func (b booleanRuns) next() (parquet.Value, error) {
	v, err := b.hybridRuns.next()
	return parquet.BooleanValue(v == 1), err
}

// dictionary holds the values that the pages of a chunk refer to by index.
type dictionary struct {
	text      []byte
	valueType valueType
	ends      []uint32 // end of each byte array in text; nil for values of equal lengths
}

// newDictionary returns a dictionary of count values, which are stored as plainDecoder reads them in the
// text of a dictionary page. It returns an error if the page has fewer values, or booleans.
func newDictionary(text []byte, count int, t valueType) (*dictionary, error) {
	d := &dictionary{text: text, valueType: t}
	if t.kind == parquet.Boolean {
		return nil, errInconsistent
	}
	if t.kind != parquet.ByteArray {
		width := t.byteWidth()
		if width < 1 || count > len(text)/width {
			return nil, io.ErrUnexpectedEOF
		}
		d.text = text[:count*width]
		return d, nil
	}
	if count > len(text)/lengthBytes { // checked before memory is allocated
		return nil, io.ErrUnexpectedEOF
	}
	p := plainDecoder{text: text, valueType: t}
	d.ends = make([]uint32, 0, count)
	for range count {
		if _, err := p.next(); err != nil {
			return nil, err
		}
		d.ends = append(d.ends, uint32(len(text)-len(p.text)))
	}
	return d, nil
}

// lookUp returns value i, from 0. It returns an error if there is no such value.
func (d *dictionary) lookUp(i uint32) (parquet.Value, error) {
	width := d.valueType.byteWidth()
	if width > 0 {
		if int64(i) >= int64(len(d.text)/width) {
			return parquet.Value{}, errInconsistent
		}
		start := int(i) * width
		return d.valueType.decode(d.text[start : start+width : start+width]), nil
	}
	if int64(i) >= int64(len(d.ends)) {
		return parquet.Value{}, errInconsistent
	}
	start := uint32(lengthBytes) // a byte array begins after its length, which is not used here
	if i > 0 {
		start += d.ends[i-1]
	}
	end := d.ends[i]
	return d.valueType.decode(d.text[start:end:end]), nil
}

// dictionaryIndices decodes values stored as indices into a dictionary.
type dictionaryIndices struct {
	*hybridRuns // of indices
	dictionary  *dictionary
}

// newDictionaryIndices returns a decoder of indices that follow a byte with their bit width. It
// returns an error if the dictionary is nil.
func newDictionaryIndices(text []byte, d *dictionary) (valueDecoder, error) {
	if d == nil {
		return nil, errInconsistent
	}
	if len(text) == 0 { // every value is missing
		return &dictionaryIndices{&hybridRuns{}, d}, nil
	}
	bitWidth := int(text[0])
	runs, err := newHybridRuns(text[1:], bitWidth)
	return &dictionaryIndices{runs, d}, err
}

// next returns the value of the dictionary that the next index refers to.
func (d *dictionaryIndices) next() (parquet.Value, error) {
	i, err := d.hybridRuns.next()
	if err != nil {
		return parquet.Value{}, err
	}
	return d.dictionary.lookUp(i)
}

// deltaNumbers decodes integers stored as differences.
type deltaNumbers struct {
	*deltaDecoder
	valueType valueType
}

// newDeltaNumbers returns a decoder of delta-packed integers. It returns an error if the values are not
// integers.
func newDeltaNumbers(text []byte, t valueType) (valueDecoder, error) {
	if t.kind != parquet.Int32 && t.kind != parquet.Int64 {
		return nil, errInconsistent
	}
	d, err := newDeltaDecoder(text)
	return &deltaNumbers{d, t}, err
}

// next returns the next integer, in the width of its type.
func (d *deltaNumbers) next() (parquet.Value, error) {
	v, err := d.deltaDecoder.next()
	if d.valueType.kind == parquet.Int32 {
		return parquet.Int32Value(int32(v)), err
	}
	return parquet.Int64Value(v), err
}

// deltaTexts decodes byte arrays whose lengths are stored as differences, before the bytes of all
// arrays. With prefixes, each array begins with some bytes of the previous one, and only the
// suffix after them is stored.
type deltaTexts struct {
	prefixLengths *deltaDecoder // nil if whole arrays are stored
	suffixLengths *deltaDecoder
	suffixes      []byte // unread suffixes
	previous      []byte // array that was returned last; unused without prefixes
	valueType     valueType
}

// newDeltaTexts returns a decoder of whole byte arrays. It returns an error if the values are not
// byte arrays.
func newDeltaTexts(text []byte, t valueType) (*deltaTexts, error) {
	if t.kind != parquet.ByteArray && t.kind != parquet.FixedLenByteArray {
		return nil, errInconsistent
	}
	lengths, suffixes, err := splitDeltas(text)
	if err != nil {
		return nil, err
	}
	return &deltaTexts{suffixLengths: lengths, suffixes: suffixes, valueType: t}, nil
}

// newPrefixedDeltaTexts returns a decoder of byte arrays that begin like the previous one. It
// returns an error if the values are not byte arrays.
func newPrefixedDeltaTexts(text []byte, t valueType) (*deltaTexts, error) {
	prefixLengths, rest, err := splitDeltas(text)
	if err != nil {
		return nil, err
	}
	d, err := newDeltaTexts(rest, t)
	if err != nil {
		return nil, err
	}
	d.prefixLengths = prefixLengths
	return d, nil
}

// splitDeltas returns a decoder of the delta-packed numbers at the start of text, and the text
// after them.
func splitDeltas(text []byte) (numbers *deltaDecoder, rest []byte, err error) {
	numbers, err = newDeltaDecoder(text)
	if err != nil {
		return nil, nil, err
	}
	skipped := *numbers // a copy, so that numbers stays at the first number
	rest, err = skipped.skipAll()
	return numbers, rest, err
}

// next returns the next byte array: the suffix that is stored, after a prefix of the previous array if
// there are prefixes.
func (d *deltaTexts) next() (parquet.Value, error) {
	length, err := d.suffixLengths.next()
	if err != nil {
		return parquet.Value{}, err
	}
	if length < 0 || length > int64(len(d.suffixes)) {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	suffix := d.suffixes[:length:length]
	d.suffixes = d.suffixes[length:]
	if d.prefixLengths == nil {
		return d.checkAndDecode(suffix)
	}
	prefixLength, err := d.prefixLengths.next()
	if err != nil {
		return parquet.Value{}, err
	}
	if prefixLength < 0 || prefixLength > int64(len(d.previous)) {
		return parquet.Value{}, errInconsistent
	}
	d.previous = append(d.previous[:prefixLength], suffix...) // overwrites the previous value
	return d.checkAndDecode(d.previous)
}

// checkAndDecode returns the value with the given bytes. It returns an error if the value is
// longer than MaxText or lacks its fixed length.
func (d *deltaTexts) checkAndDecode(text []byte) (parquet.Value, error) {
	switch {
	case len(text) > MaxText:
		return parquet.Value{}, errLongText
	case d.valueType.kind == parquet.FixedLenByteArray && len(text) != d.valueType.fixedLength:
		return parquet.Value{}, errInconsistent
	}
	return d.valueType.decode(text), nil
}

// byteStreams decodes values of n bytes stored as n streams: the first bytes of all
// values, then their second bytes, and so on.
type byteStreams struct {
	text      []byte
	valueType valueType
	count     int    // number of values
	index     int    // of the next value
	buffer    []byte // bytes of one value
}

// newByteStreams returns a decoder of byte streams. It returns an error if the values do not have equal
// lengths, or are of type Int96, for which Parquet does not define this encoding.
func newByteStreams(text []byte, t valueType) (valueDecoder, error) {
	width := t.byteWidth()
	if width < 1 || t.kind == parquet.Int96 {
		return nil, errInconsistent
	}
	return &byteStreams{
		text:      text,
		valueType: t,
		count:     len(text) / width,
		buffer:    make([]byte, width),
	}, nil
}

// next collects the bytes of the next value, one from each stream.
func (b *byteStreams) next() (parquet.Value, error) {
	if b.index == b.count {
		return parquet.Value{}, io.ErrUnexpectedEOF
	}
	for stream := range b.buffer {
		b.buffer[stream] = b.text[stream*b.count+b.index]
	}
	b.index++
	return b.valueType.decode(b.buffer), nil
}
