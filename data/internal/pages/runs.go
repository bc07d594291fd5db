package pages

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// bitsPerByte converts between bits and bytes.
const bitsPerByte = 8

// maxPadding is the maximum number of numbers by which the last run of a page exceeds its count: writers fill up a run of
// packed numbers.
const maxPadding = 512

// checkRuns checks numbers in the RLE/bit-packing hybrid encoding of Parquet: runs, each of which either repeats one number
// or lists numbers of bitWidth bits. It returns an error if there are fewer than count numbers, or so many more that the
// library would take much memory for them.
func checkRuns(text []byte, bitWidth, count int) error {
	const maxBitWidth = 32
	if bitWidth > maxBitWidth {
		return errInconsistent
	}
	s := scanner{text: text}
	total := 0
	for s.err == nil && s.offset < len(text) {
		total += s.skipRun(bitWidth)
		if total > count+maxPadding {
			s.fail(errInconsistent)
		}
	}
	if total < count {
		s.fail(io.ErrUnexpectedEOF)
	}
	return s.pageError()
}

// skipRun skips a run of numbers of bitWidth bits, and returns how many numbers it has. A header comes first: the number of
// numbers or, of packed numbers, of groups of eight.
func (s *scanner) skipRun(bitWidth int) (numbers int) {
	const maxRun = math.MaxInt32 / bitsPerByte
	header := s.readUvarint()
	if header>>1 > maxRun {
		s.fail(errInconsistent)
		return 0
	}
	numbers = int(header >> 1)
	isPacked := header&1 == 1
	if isPacked {
		s.skip(uint64(numbers) * uint64(bitWidth))
		return numbers * bitsPerByte
	}
	s.skip(uint64(bitWidth+bitsPerByte-1) / bitsPerByte) // the repeated number
	return numbers
}

// pageError returns the error of a page's scanner: io.ErrUnexpectedEOF for a page that ends too early.
func (s *scanner) pageError() error {
	if s.err == nil || s.err == errInconsistent {
		return s.err
	}
	return io.ErrUnexpectedEOF
}

// decodeLevels decodes the definition levels of a page, at least count. It may use the given memory.
func decodeLevels(memory []uint8, text []byte, count int) ([]uint8, error) {
	if err := checkRuns(text, 1, count); err != nil {
		return nil, err
	}
	levels := rle.Encoding{BitWidth: 1}
	return levels.DecodeLevels(memory, text)
}

// decodeIndices decodes indices into a dictionary, at least count: runs after a byte with the number of bits of an index. It
// may use the given memory.
func decodeIndices(memory []int32, text []byte, count int) ([]int32, error) {
	if len(text) == 0 && count == 0 { // every value is missing
		return nil, nil
	}
	if len(text) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	if err := checkRuns(text[1:], int(text[0]), count); err != nil {
		return nil, err
	}
	return new(rle.DictionaryEncoding).DecodeInt32(memory, text)
}

// lengthBits is the maximum number of bits of the difference of two lengths.
const lengthBits = 32

// prefixBytes returns the number of bytes that count texts share with the text before. They are stored as the lengths of
// these prefixes, the lengths of the suffixes, and the suffixes.
func prefixBytes(text []byte, count int) (size int, err error) {
	suffixes, err := skipDeltas(text, lengthBits, count)
	if err != nil {
		return 0, err
	}
	if _, err := skipDeltas(suffixes, lengthBits, count); err != nil {
		return 0, err
	}
	lengths, err := new(delta.BinaryPackedEncoding).DecodeInt32(nil, text)
	for _, length := range lengths {
		if length < 0 {
			return 0, errInconsistent
		}
		size += int(length)
	}
	return size, err
}

// maxDeltaBlock is the maximum number of differences in a block of skipDeltas; programs write 128 or 256.
const maxDeltaBlock = 1 << 16

// skipDeltas returns the text after count delta-packed numbers of at most maxBits bits. It returns an error if text begins
// with another number of numbers. The encoding stores the first number, and then the differences between neighbours in
// blocks, each of which has a number of miniblocks.
func skipDeltas(text []byte, maxBits, count int) (rest []byte, err error) {
	s := scanner{text: text}
	blockSize := s.readUvarint() // in differences
	miniblocks := s.readUvarint()
	total := s.readUvarint()
	hasOtherSize := total != uint64(count) || blockSize > maxDeltaBlock || miniblocks == 0 || miniblocks > blockSize
	if hasOtherSize {
		s.fail(errInconsistent)
		return nil, s.pageError()
	}
	miniblockSize := int(blockSize / miniblocks)
	s.readUvarint() // the first number
	for left := count - 1; left > 0 && s.err == nil; {
		left -= s.skipDeltaBlock(int(miniblocks), miniblockSize, maxBits, left)
	}
	return text[s.offset:], s.pageError()
}

// skipDeltaBlock skips a block of differences: the smallest one, the number of bits of each miniblock, and the miniblocks,
// which have the distances from the smallest difference. It returns how many differences it has skipped. It skips no more
// miniblocks than the left differences need, the last of which may be cut off.
func (s *scanner) skipDeltaBlock(miniblocks, miniblockSize, maxBits, left int) (skipped int) {
	s.readUvarint() // the smallest difference
	start := s.offset
	s.skip(uint64(miniblocks))
	if s.err != nil {
		return 0
	}
	for _, bitWidth := range s.text[start:s.offset] {
		if skipped >= left {
			break
		}
		if int(bitWidth) > maxBits {
			s.fail(errInconsistent)
			break
		}
		size := miniblockSize * int(bitWidth) / bitsPerByte
		s.offset += min(size, len(s.text)-s.offset)
		skipped += miniblockSize
	}
	return skipped
}

// lengthBytes is the number of bytes in which Parquet stores the length of a text.
const lengthBytes = 4

// cutPrefixedBytes returns the bytes at the start of text, before which their length is stored in four
// bytes, and the text after them.
func cutPrefixedBytes(text []byte) (content, rest []byte, err error) {
	if len(text) < lengthBytes {
		return nil, nil, io.ErrUnexpectedEOF
	}
	length := binary.LittleEndian.Uint32(text)
	text = text[lengthBytes:]
	if uint64(length) > uint64(len(text)) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return text[:length], text[length:], nil
}
