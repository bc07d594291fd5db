package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// scanner passes over a structure in Thrift's compact protocol to find its end, and checks
// that its lists and texts do not claim more bytes than the text has.
type scanner struct {
	text    []byte
	at      int
	structs int // so far
}

// errShort is the error of a structure that goes on behind the text.
var errShort = errors.New("a list or a text is longer than what is left of its structure")

// Types of Thrift's compact protocol.
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
	typeUUID   = 16
)

// structure passes over a structure at the given depth of nesting.
func (s *scanner) structure(depth int) error {
	if s.structs++; s.structs > maxStructs || depth > maxDepth {
		return fmt.Errorf("more than %d structures, or more than %d within each other", maxStructs, maxDepth)
	}
	for {
		head, err := s.byte()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 {
			if _, err := s.uvarint(); err != nil { // the number of the field
				return err
			}
		}
		kind := head & 15
		if kind == typeTrue || kind == typeFalse {
			continue // the type is the value
		}
		if err := s.value(kind, depth); err != nil {
			return err
		}
	}
}

func (s *scanner) value(kind byte, depth int) error {
	switch kind {
	case typeTrue, typeFalse, typeByte: // within a list a truth value has a byte
		return s.skip(1)
	case typeInt16, typeInt32, typeInt64:
		_, err := s.uvarint()
		return err
	case typeDouble:
		return s.skip(8)
	case typeUUID:
		return s.skip(16)
	case typeBinary:
		n, err := s.uvarint()
		if err != nil {
			return err
		}
		return s.skip(n)
	case typeList, typeSet:
		return s.list(depth)
	case typeMap:
		return s.pairs(depth)
	case typeStruct:
		return s.structure(depth + 1)
	}
	return fmt.Errorf("a field of the unknown type %d", kind)
}

func (s *scanner) list(depth int) error {
	head, err := s.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = s.uvarint(); err != nil {
			return err
		}
	}
	if n > uint64(len(s.text)-s.at) { // each item takes a byte at least
		return errShort
	}
	for range n {
		if err := s.value(head&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner) pairs(depth int) error {
	n, err := s.uvarint()
	if err != nil || n == 0 {
		return err
	}
	types, err := s.byte()
	if err != nil {
		return err
	}
	if n > uint64(len(s.text)-s.at) {
		return errShort
	}
	for range n {
		if err := s.value(types>>4, depth+1); err != nil {
			return err
		}
		if err := s.value(types&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *scanner) byte() (byte, error) {
	if s.at == len(s.text) {
		return 0, errShort
	}
	s.at++
	return s.text[s.at-1], nil
}

func (s *scanner) skip(n uint64) error {
	if n > uint64(len(s.text)-s.at) {
		return errShort
	}
	s.at += int(n)
	return nil
}

func (s *scanner) uvarint() (uint64, error) {
	v, n := binary.Uvarint(s.text[s.at:])
	switch {
	case n == 0:
		return 0, errShort
	case n < 0:
		return 0, errors.New("a number of more than 64 bits")
	}
	s.at += n
	return v, nil
}

// CheckFooter returns an error if the metadata at the end of a file exceeds the bounds, or if
// a list or text in it claims more bytes than the metadata has.
func CheckFooter(r io.ReaderAt, size int64) error {
	const tail = 8 // the length of the description, and a mark
	end := make([]byte, tail)
	if size < tail {
		return io.ErrUnexpectedEOF
	}
	if _, err := r.ReadAt(end, size-tail); err != nil && err != io.EOF {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	switch {
	case length > size-tail:
		return fmt.Errorf("a description of %d bytes in a file of %d", length, size)
	case length > MaxFooter:
		return fmt.Errorf("a description of more than %d MiB", MaxFooter>>20)
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, size-tail-length); err != nil && err != io.EOF {
		return err
	}
	s := scanner{text: footer}
	return s.structure(0)
}
