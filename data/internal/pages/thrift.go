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
// there: the library that decodes the structure afterwards allocates the claimed memory.
//
// The protocol is described in doc/specs/thrift-compact-protocol.md of github.com/apache/thrift.
type scanner struct {
	text       []byte
	offset     int // of the next unread byte
	structures int // number of structures so far
}

// errTruncated is returned for a structure that does not end within the scanned text.
var errTruncated = errors.New("a list or a text is longer than the metadata that contains it")

// Types of values in Thrift's compact protocol.
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
	typeMap    = 11
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
	tail := make([]byte, tailBytes)
	if _, err := r.ReadAt(tail, size-tailBytes); err != nil && err != io.EOF { // a full read may return io.EOF
		return err
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	switch {
	case length > size-tailBytes:
		return fmt.Errorf("its metadata claims %d bytes, but the file has %d", length, size)
	case length > maxFooter:
		return fmt.Errorf("its metadata has more than %d MiB", maxFooter>>20)
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, size-tailBytes-length); err != nil && err != io.EOF {
		return err
	}
	s := scanner{text: footer}
	if err := s.skipStruct(0); err != nil {
		return err
	}
	return checkNesting(footer)
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

// skipStruct skips a structure at the given depth of nesting: fields, each with a header byte, up
// to a header of 0.
func (s *scanner) skipStruct(depth int) error {
	s.structures++
	if s.structures > maxStructures || depth > maxDepth {
		return fmt.Errorf("its metadata has more than %d structures, or nests more than %d of them", maxStructures, maxDepth)
	}
	for {
		header, err := s.readByte()
		if err != nil || header == 0 {
			return err
		}
		hasFieldNumber := header>>4 == 0 // otherwise the header holds the distance from the previous field
		if hasFieldNumber {
			if _, err := s.readUvarint(); err != nil {
				return err
			}
		}
		kind := header & typeMask
		if kind == typeTrue || kind == typeFalse { // the type is the value
			continue
		}
		if err := s.skipValue(kind, depth); err != nil {
			return err
		}
	}
}

// skipValue skips a value of the given type, in a structure or list at the given depth of nesting.
func (s *scanner) skipValue(kind byte, depth int) error {
	switch kind {
	case typeTrue, typeFalse, typeByte: // a boolean in a list takes a byte
		return s.skip(1)
	case typeInt16, typeInt32, typeInt64:
		_, err := s.readUvarint()
		return err
	case typeDouble:
		return s.skip(8)
	case typeBinary:
		length, err := s.readUvarint()
		if err != nil {
			return err
		}
		return s.skip(length)
	case typeList, typeSet:
		return s.skipList(depth)
	case typeMap:
		return s.skipMap(depth)
	case typeStruct:
		return s.skipStruct(depth + 1)
	}
	return fmt.Errorf("its metadata has a field of the unknown type %d", kind)
}

// skipList skips a list or a set. Its header has the number of items in the upper four bits, or
// 15 if the number follows.
func (s *scanner) skipList(depth int) error {
	header, err := s.readByte()
	if err != nil {
		return err
	}
	const numberFollows = 15
	items := uint64(header >> 4)
	if items == numberFollows {
		items, err = s.readUvarint()
		if err != nil {
			return err
		}
	}
	if items > s.bytesLeft() { // each item takes at least a byte
		return errTruncated
	}
	for range items {
		if err := s.skipValue(header&typeMask, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// skipMap skips a map: the number of its pairs, a byte with the types of keys and values, and the
// pairs.
func (s *scanner) skipMap(depth int) error {
	pairs, err := s.readUvarint()
	if err != nil || pairs == 0 { // an empty map has no types
		return err
	}
	types, err := s.readByte()
	if err != nil {
		return err
	}
	if pairs > s.bytesLeft() { // each pair takes at least a byte
		return errTruncated
	}
	keyType := types >> 4
	valueType := types & typeMask
	for range pairs {
		if err := s.skipValue(keyType, depth+1); err != nil {
			return err
		}
		if err := s.skipValue(valueType, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// bytesLeft returns the number of unread bytes.
func (s *scanner) bytesLeft() uint64 { return uint64(len(s.text) - s.offset) }

// readByte returns the next byte, and errTruncated if there is none.
func (s *scanner) readByte() (byte, error) {
	if s.offset == len(s.text) {
		return 0, errTruncated
	}
	b := s.text[s.offset]
	s.offset++
	return b, nil
}

// skip skips n bytes. It returns errTruncated if there are fewer.
func (s *scanner) skip(n uint64) error {
	if n > s.bytesLeft() {
		return errTruncated
	}
	s.offset += int(n)
	return nil
}

// readUvarint returns the next number of variable length. It returns errTruncated if the text
// ends within it, and another error if it has more than 64 bits.
func (s *scanner) readUvarint() (uint64, error) {
	v, n := binary.Uvarint(s.text[s.offset:])
	switch {
	case n == 0:
		return 0, errTruncated
	case n < 0:
		return 0, errors.New("its metadata has a number of more than 64 bits")
	}
	s.offset += n
	return v, nil
}
