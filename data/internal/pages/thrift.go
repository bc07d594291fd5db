package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// scanner finds the end of a structure in Thrift's compact protocol, in which Parquet stores its
// metadata, without decoding it. It checks that no list or text claims more bytes than are
// there: the library that decodes the structure afterwards allocates the claimed memory. After the first
// error it reads nothing more.
//
// The protocol is described in doc/specs/thrift-compact-protocol.md of github.com/apache/thrift.
type scanner struct {
	text       []byte
	offset     int // of the next unread byte
	structures int // number of structures so far
	err        error
}

// errTruncated is returned for a structure that does not end within the scanned text.
var errTruncated = errors.New("a list or a text is longer than the metadata that contains it")

// Types of values in Thrift's compact protocol. Parquet has no maps.
const (
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeInt16  = 4
	typeInt32  = 5
	typeInt64  = 6
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeStruct = 12
)

// typeMask selects the type in a header byte, its lower four bits. The meaning of the upper four bits
// depends on the header.
const typeMask = 15

// CheckFooter returns an error if the metadata at the end of a Parquet file of size bytes exceeds
// the bounds of this package, or if a list or text in it claims more bytes than the metadata has.
func CheckFooter(r io.ReaderAt, size int64) error {
	const tailBytes = 8 // the length of the metadata, and the letters PAR1
	if size < tailBytes {
		return io.ErrUnexpectedEOF
	}
	tail, err := readAt(r, size-tailBytes, tailBytes)
	if err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	switch {
	case length > size-tailBytes:
		return fmt.Errorf("its metadata claims %d bytes, but the file has %d", length, size)
	case length > maxFooter:
		return fmt.Errorf("its metadata has more than %d MiB", maxFooter>>20)
	}
	footer, err := readAt(r, size-tailBytes-length, length)
	if err != nil {
		return err
	}
	s := scanner{text: footer}
	if err := s.skipStruct(0); err != nil {
		return err
	}
	return checkNesting(footer)
}

// readAt returns the given number of bytes of a file from an offset on.
func readAt(r io.ReaderAt, offset, bytes int64) ([]byte, error) {
	text := make([]byte, bytes)
	if _, err := r.ReadAt(text, offset); err != nil && err != io.EOF { // a full read may return io.EOF
		return nil, err
	}
	return text, nil
}

// checkNesting returns an error if the schema in a file's metadata nests groups of columns too deeply: the library takes
// memory for the path of every column.
func checkNesting(footer []byte) error {
	var metadata struct {
		Schema []struct {
			NumChildren thrift.Null[int32] `thrift:"5,optional"`
		} `thrift:"2,optional"`
	}
	r := new(thrift.CompactProtocol).NewReaderFromBytes(footer)
	if err := thrift.NewDecoder(r).Decode(&metadata); err != nil {
		return err
	}
	var open []int32 // for each open group, the number of its columns that are still to come
	for _, element := range metadata.Schema {
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			open[len(open)-1]--
		}
		if element.NumChildren.V > 0 {
			open = append(open, element.NumChildren.V)
		}
		if len(open) > maxDepth {
			return fmt.Errorf("its metadata nests more than %d groups of columns", maxDepth)
		}
	}
	return nil
}

// skipStruct skips a structure at the given depth of nesting, and returns the first error: fields, each
// with a header byte, up to a header of 0.
func (s *scanner) skipStruct(depth int) error {
	s.structures++
	if s.structures > maxStructures || depth > maxDepth {
		s.fail(fmt.Errorf("its metadata has more than %d structures, or nests more than %d of them", maxStructures, maxDepth))
	}
	for s.err == nil {
		header := s.readByte()
		if header == 0 {
			break
		}
		hasFieldNumber := header>>4 == 0 // otherwise the header holds the distance from the previous field
		if hasFieldNumber {
			s.readUvarint()
		}
		kind := header & typeMask
		isBoolean := kind == typeTrue || kind == typeFalse // the type is the value
		if !isBoolean {
			s.skipValue(kind, depth)
		}
	}
	return s.err
}

// skipValue skips a value of the given type, in a structure or list at the given depth of nesting.
func (s *scanner) skipValue(kind byte, depth int) {
	switch kind {
	case typeTrue, typeFalse, typeByte: // a boolean in a list takes a byte
		s.skip(1)
	case typeInt16, typeInt32, typeInt64:
		s.readUvarint()
	case typeDouble:
		s.skip(8)
	case typeBinary:
		s.skip(s.readUvarint())
	case typeList, typeSet:
		s.skipList(depth)
	case typeStruct:
		s.skipStruct(depth + 1)
	default:
		s.fail(fmt.Errorf("its metadata has a field of the unknown type %d", kind))
	}
}

// skipList skips a list or a set. Its header has the number of items in the upper four bits, or
// 15 if the number follows.
func (s *scanner) skipList(depth int) {
	const numberFollows = 15
	header := s.readByte()
	items := uint64(header >> 4)
	if items == numberFollows {
		items = s.readUvarint()
	}
	s.checkClaim(items)
	for i := uint64(0); i < items && s.err == nil; i++ {
		s.skipValue(header&typeMask, depth+1)
	}
}

// fail sets the error unless there is one.
func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// checkClaim fails unless n bytes or more are unread. An item of a list takes at least a byte.
func (s *scanner) checkClaim(n uint64) {
	if n > uint64(len(s.text)-s.offset) {
		s.fail(errTruncated)
	}
}

// skip skips n bytes. It fails if there are fewer.
func (s *scanner) skip(n uint64) {
	s.checkClaim(n)
	if s.err == nil {
		s.offset += int(n)
	}
}

// readByte returns the next byte. It fails if there is none.
func (s *scanner) readByte() byte {
	s.skip(1)
	if s.err != nil {
		return 0
	}
	return s.text[s.offset-1]
}

// readUvarint returns the next number of variable length. It fails if the text ends within it, or if it
// has more than 64 bits.
func (s *scanner) readUvarint() uint64 {
	v, n := binary.Uvarint(s.text[s.offset:])
	switch {
	case n == 0:
		s.fail(errTruncated)
	case n < 0:
		s.fail(errors.New("its metadata has a number of more than 64 bits"))
	}
	if s.err != nil {
		return 0
	}
	s.offset += n
	return v
}
