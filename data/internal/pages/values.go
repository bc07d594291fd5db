package pages

import (
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// valueType is the physical type of a column's values.
type valueType struct {
	parquet.Type
	kind        parquet.Kind
	fixedLength int // bytes of a value if kind is FixedLenByteArray; else 0
}

// newValueType returns the type of a column. It returns an error if the schema and the metadata
// of the row group disagree, or if values of fixed length are longer than maxText.
func newValueType(column *parquet.Column, metadata *format.ColumnMetaData) (valueType, error) {
	t := valueType{Type: column.Type(), kind: column.Type().Kind()}
	isNullType := t.kind < 0 // every value is missing, and the physical type is arbitrary
	if !isNullType && t.kind != parquet.Kind(metadata.Type) {
		return t, errInconsistent
	}
	if t.kind == parquet.FixedLenByteArray {
		t.fixedLength = column.Type().Length()
		if t.fixedLength < 1 || t.fixedLength > maxText {
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

// values are the decoded values of a page or a dictionary, without the missing ones. Those of a page are a dictionary, too:
// it finds a value by its index.
type values struct {
	parquet.Dictionary
	decoded encoding.Values
	kind    parquet.Kind
	count   int // number of values
}

// decode decodes count values of a page or a dictionary. It returns an error if there are fewer. It may use the memory of
// previous values. The encodings are described at https://parquet.apache.org/docs/file-format/data-pages/encodings.
func (t valueType) decode(previous values, encoding format.Encoding, text []byte, count int) (values, error) {
	text, err := t.checkCounts(encoding, text, count)
	if err != nil {
		return values{}, err
	}
	if t.kind == parquet.Boolean && encoding == format.RLE {
		text, err = plainBits(text, count)
		if err != nil {
			return values{}, err
		}
		encoding = format.Plain
	}
	memory := previous.decoded
	if previous.count == 0 {
		memory = t.NewValues(nil, nil)
	}
	decoded, err := t.Decode(memory, text, parquet.LookupEncoding(encoding))
	if err != nil {
		return values{}, err
	}
	if t.available(decoded) < count {
		return values{}, io.ErrUnexpectedEOF
	}
	return values{t.NewDictionary(0, count, decoded), decoded, t.kind, count}, nil
}

// checkCounts returns the encoded values of a page, of which there must be count, without further bytes after them. It
// returns an error if there are fewer, or if the library would take much more memory for them than the page claims.
func (t valueType) checkCounts(encoding format.Encoding, text []byte, count int) ([]byte, error) {
	switch encoding {
	case format.Plain:
		return t.cutPlain(text, count)
	case format.ByteStreamSplit:
		return text, nil // the library checks that the bytes are whole values
	case format.RLE:
		runs, _, err := cutPrefixedBytes(text)
		if err != nil {
			return nil, err
		}
		return text, checkRuns(runs, 1, count)
	case format.DeltaBinaryPacked:
		_, err := skipDeltas(text, bitsPerByte*t.byteWidth(), count)
		return text, err
	case format.DeltaLengthByteArray:
		_, err := skipDeltas(text, lengthBits, count)
		return text, err
	case format.DeltaByteArray:
		return text, nil // prefixBytes has checked them
	}
	return nil, unsupportedError("encoding", encoding)
}

// plainBits returns count truth values, which are stored in runs, as a bit each. The library decodes the runs of levels, but of
// truth values only the runs whose length is a multiple of eight.
func plainBits(text []byte, count int) ([]byte, error) {
	runs, _, err := cutPrefixedBytes(text)
	if err != nil {
		return nil, err
	}
	truths, err := decodeLevels(nil, runs, count)
	if err != nil {
		return nil, err
	}
	bits := make([]byte, (count+bitsPerByte-1)/bitsPerByte)
	for i, truth := range truths[:count] {
		bits[i/bitsPerByte] |= truth << (i % bitsPerByte)
	}
	return bits, nil
}

// cutPlain returns the first count of the values that are stored one after the other. It returns io.ErrUnexpectedEOF if
// text is too short for them.
func (t valueType) cutPlain(text []byte, count int) ([]byte, error) {
	size := count * t.byteWidth()
	switch t.kind {
	case parquet.Boolean: // a bit each
		size = (count + bitsPerByte - 1) / bitsPerByte
	case parquet.ByteArray: // each after its length
		size = count * lengthBytes
	}
	if size > len(text) {
		return nil, io.ErrUnexpectedEOF
	}
	if t.kind == parquet.ByteArray {
		return text, nil
	}
	return text[:size], nil
}

// available returns the number of decoded values of type t, or of bits for booleans.
func (t valueType) available(decoded encoding.Values) int {
	content, offsets := decoded.Data()
	switch {
	case t.kind == parquet.Boolean:
		return bitsPerByte * len(content)
	case t.kind == parquet.ByteArray:
		return len(offsets) - 1
	case t.byteWidth() > 0:
		return len(content) / t.byteWidth()
	}
	return 0 // of a type whose values are all missing
}

// value returns value i, from 0. It returns an error if there is no such value, or if it is longer than maxText. The bytes of
// a value are a part of v.
func (v values) value(i int) (parquet.Value, error) {
	if i >= v.count {
		return parquet.Value{}, errInconsistent
	}
	value := v.Index(int32(i))
	if v.kind == parquet.ByteArray && len(value.ByteArray()) > maxText {
		return parquet.Value{}, errLongText
	}
	return value, nil
}
