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
	const (
		maxBitWidth = 32
		maxRun      = math.MaxInt32 / bitsPerByte // numbers, or groups of 8 packed numbers
	)
	if bitWidth > maxBitWidth {
		return errInconsistent
	}
	total := 0
	for len(text) > 0 {
		header, n := binary.Uvarint(text)
		if n <= 0 {
			return io.ErrUnexpectedEOF
		}
		if header>>1 > maxRun {
			return errInconsistent
		}
		text = text[n:]
		numbers := int(header >> 1)
		size := (bitWidth + bitsPerByte - 1) / bitsPerByte // bytes of the repeated number
		isPacked := header&1 == 1
		if isPacked {
			size = numbers * bitWidth // the header counts groups of 8 numbers
			numbers *= bitsPerByte
		}
		if size > len(text) {
			return io.ErrUnexpectedEOF
		}
		text = text[size:]
		total += numbers
		if total > count+maxPadding {
			return errInconsistent
		}
	}
	if total < count {
		return io.ErrUnexpectedEOF
	}
	return nil
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
// blocks: the smallest difference of the block, and the distances from it in miniblocks of packed bits.
func skipDeltas(text []byte, maxBits, count int) (rest []byte, err error) {
	blockSize, text, err := cutUvarint(text) // in differences
	if err != nil {
		return nil, err
	}
	miniblocks, text, err := cutUvarint(text) // in a block
	if err != nil {
		return nil, err
	}
	total, text, err := cutUvarint(text)
	if err != nil {
		return nil, err
	}
	if total != uint64(count) || blockSize > maxDeltaBlock || miniblocks == 0 || miniblocks > blockSize {
		return nil, errInconsistent
	}
	miniblockSize := int(blockSize / miniblocks)
	_, text, err = cutUvarint(text) // the first number
	if err != nil {
		return nil, err
	}
	for left := count - 1; left > 0; {
		_, text, err = cutUvarint(text) // the smallest difference
		if err != nil {
			return nil, err
		}
		if uint64(len(text)) < miniblocks {
			return nil, io.ErrUnexpectedEOF
		}
		bitWidths := text[:miniblocks]
		text = text[miniblocks:]
		for _, bitWidth := range bitWidths {
			if left <= 0 {
				break
			}
			if int(bitWidth) > maxBits {
				return nil, errInconsistent
			}
			size := miniblockSize * int(bitWidth) / bitsPerByte
			text = text[min(size, len(text)):] // the last miniblock may be cut off
			left -= miniblockSize
		}
	}
	return text, nil
}

// cutUvarint returns the variable-length number at the start of text, and the text after it.
func cutUvarint(text []byte) (v uint64, rest []byte, err error) {
	v, n := binary.Uvarint(text)
	if n <= 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return v, text[n:], nil
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
