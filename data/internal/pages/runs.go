package pages

import (
	"encoding/binary"
	"io"
)

// bitsPerByte converts between bits and bytes.
const bitsPerByte = 8

// hybridRuns decodes the RLE/bit-packing hybrid encoding of Parquet: a sequence of runs, each
// of which either repeats one number or lists numbers of bitWidth bits. See
// https://parquet.apache.org/docs/file-format/data-pages/encodings.
type hybridRuns struct {
	text     []byte // unread runs
	bitWidth int    // bits of a number, up to 32

	runLeft    uint64 // number of unread numbers of the current run
	isRepeated bool   // whether the run repeats one number

	value uint32 // the number, if the run repeats it

	packed    []byte // the numbers of another run
	bitOffset uint64 // of the next number in packed
}

// newHybridRuns returns a decoder of numbers of bitWidth bits. It returns an error if bitWidth is
// not between 0 and 32.
func newHybridRuns(text []byte, bitWidth int) (*hybridRuns, error) {
	if bitWidth < 0 || bitWidth > 32 {
		return nil, errInconsistent
	}
	return &hybridRuns{text: text, bitWidth: bitWidth}, nil
}

// next returns the next number, and io.ErrUnexpectedEOF if there is none.
func (r *hybridRuns) next() (uint32, error) {
	for r.runLeft == 0 {
		if err := r.nextRun(); err != nil {
			return 0, err
		}
	}
	r.runLeft--
	if r.isRepeated {
		return r.value, nil
	}
	v := bitsAt(r.packed, r.bitOffset, r.bitWidth)
	r.bitOffset += uint64(r.bitWidth)
	return uint32(v), nil
}

// nextRun begins the next run, which may have no numbers. It reads the run's header: the lowest bit
// tells the kind of run, and the other bits are the count, of numbers or of packed groups of 8 numbers.
func (r *hybridRuns) nextRun() error {
	header, n := binary.Uvarint(r.text)
	if n <= 0 {
		return io.ErrUnexpectedEOF
	}
	r.text = r.text[n:]
	count := header >> 1
	isPacked := header&1 == 1
	if isPacked {
		return r.beginPackedRun(count)
	}
	return r.beginRepeatedRun(count)
}

// beginRepeatedRun reads the number that a run repeats count times: as many bytes as bitWidth needs, the
// lowest byte first.
func (r *hybridRuns) beginRepeatedRun(count uint64) error {
	size := (r.bitWidth + bitsPerByte - 1) / bitsPerByte // rounded up
	if size > len(r.text) {
		return io.ErrUnexpectedEOF
	}
	r.value = 0
	for i, b := range r.text[:size] {
		r.value |= uint32(b) << (bitsPerByte * i)
	}
	r.text = r.text[size:]
	r.runLeft = count
	r.isRepeated = true
	return nil
}

// beginPackedRun takes the bytes of a run of packed groups of 8 numbers. The last group of the
// text may be cut off: the numbers that it lacks are 0.
func (r *hybridRuns) beginPackedRun(groups uint64) error {
	const (
		groupSize = 8       // numbers; 8 numbers of n bits take n bytes
		maxGroups = 1 << 40 // keeps the products below from overflowing
	)
	exceedsText := r.bitWidth > 0 && groups > uint64(len(r.text))+1 // a group takes a byte or more, and one may be cut off
	if exceedsText || groups > maxGroups {
		return io.ErrUnexpectedEOF
	}
	size := min(groups*uint64(r.bitWidth), uint64(len(r.text)))
	r.packed = r.text[:size:size]
	r.text = r.text[size:]
	r.runLeft = groupSize * groups
	r.bitOffset = 0
	r.isRepeated = false
	return nil
}

// bitsAt returns the number of width bits, at most 64, that begins offset bits into text, with
// the lowest bit first. Bits after the end of the text are 0.
func bitsAt(text []byte, offset uint64, width int) (number uint64) {
	for read := 0; read < width; { // number of bits read so far
		byteIndex := int(offset / bitsPerByte)
		if byteIndex >= len(text) {
			break
		}
		firstBit := int(offset % bitsPerByte)
		bits := min(bitsPerByte-firstBit, width-read) // number of bits to take from this byte
		mask := uint64(1)<<bits - 1
		number |= uint64(text[byteIndex]>>firstBit) & mask << read
		read += bits
		offset += uint64(bits)
	}
	return number
}

// deltaDecoder decodes the delta binary packing of Parquet. The encoding stores the first
// number, and then the differences between neighbours in blocks: the smallest difference of
// the block, and the distances from it in miniblocks of packed bits.
type deltaDecoder struct {
	text        []byte // unread blocks
	numbersLeft uint64 // number of unread numbers
	isFirst     bool   // whether the next number is the first one
	previous    int64  // the number that was returned last; the first number while isFirst is true

	miniblocks    int    // number of miniblocks in a block
	miniblockSize uint64 // number of differences in a miniblock, at least 1

	minDelta        int64  // smallest difference of the block
	bitWidths       []byte // bit widths of the block's unread miniblocks
	packed          []byte // differences of the current miniblock
	bitWidth        int    // bits of a difference in packed
	bitOffset       uint64 // of the next difference in packed
	differencesLeft uint64 // number of unread differences of the miniblock
}

// maxDeltaBlock is the maximum number of differences in a block; programs write 128 or 256.
const maxDeltaBlock = 1 << 16

// newDeltaDecoder returns a decoder of the delta-packed numbers at the start of text. It reads their
// header: the number of differences in a block, the number of miniblocks in a block, the number of
// numbers, and the first number. It returns an error if these contradict each other.
func newDeltaDecoder(text []byte) (*deltaDecoder, error) {
	blockSize, text, err := cutUvarint(text)
	if err != nil {
		return nil, err
	}
	miniblocks, text, err := cutUvarint(text)
	if err != nil {
		return nil, err
	}
	count, text, err := cutUvarint(text)
	if err != nil {
		return nil, err
	}
	if blockSize == 0 || blockSize > maxDeltaBlock {
		return nil, errInconsistent
	}
	if miniblocks == 0 || miniblocks > blockSize || blockSize%miniblocks != 0 {
		return nil, errInconsistent
	}
	first, n := binary.Varint(text)
	if n <= 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return &deltaDecoder{
		text:          text[n:],
		numbersLeft:   count,
		isFirst:       true,
		previous:      first,
		miniblocks:    int(miniblocks),
		miniblockSize: blockSize / miniblocks,
	}, nil
}

// cutUvarint returns the variable-length number at the start of text, and the text after it.
func cutUvarint(text []byte) (v uint64, rest []byte, err error) {
	v, n := binary.Uvarint(text)
	if n <= 0 {
		return 0, nil, io.ErrUnexpectedEOF
	}
	return v, text[n:], nil
}

// next returns the next number, and io.ErrUnexpectedEOF if there is none.
func (d *deltaDecoder) next() (int64, error) {
	if d.numbersLeft == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	d.numbersLeft--
	if d.isFirst {
		d.isFirst = false
		return d.previous, nil
	}
	for d.differencesLeft == 0 {
		if err := d.nextMiniblock(); err != nil {
			return 0, err
		}
	}
	d.differencesLeft--
	difference := d.minDelta + int64(bitsAt(d.packed, d.bitOffset, d.bitWidth))
	d.previous += difference // the sums wrap around, as the encoding requires
	d.bitOffset += uint64(d.bitWidth)
	return d.previous, nil
}

// nextMiniblock takes the bytes of the next miniblock. If all miniblocks of the block are read, it
// reads the header of the next block before. The last miniblock may be cut off: the differences that
// it lacks are 0.
func (d *deltaDecoder) nextMiniblock() error {
	if len(d.bitWidths) == 0 {
		if err := d.readBlockHeader(); err != nil {
			return err
		}
	}
	const maxBitWidth = 64
	d.bitWidth = int(d.bitWidths[0])
	if d.bitWidth > maxBitWidth {
		return errInconsistent
	}
	d.bitWidths = d.bitWidths[1:]
	size := min(int(d.miniblockSize)*d.bitWidth/bitsPerByte, len(d.text))
	d.packed = d.text[:size:size]
	d.text = d.text[size:]
	d.bitOffset = 0
	d.differencesLeft = d.miniblockSize
	return nil
}

// readBlockHeader reads the header of a block: its smallest difference, and a byte with the bit width
// of each miniblock.
func (d *deltaDecoder) readBlockHeader() error {
	minDelta, n := binary.Varint(d.text)
	if n <= 0 || len(d.text)-n < d.miniblocks {
		return io.ErrUnexpectedEOF
	}
	d.minDelta = minDelta
	d.bitWidths = d.text[n : n+d.miniblocks]
	d.text = d.text[n+d.miniblocks:]
	return nil
}

// skipAll skips all numbers and returns the text after them.
func (d *deltaDecoder) skipAll() (rest []byte, err error) {
	if d.numbersLeft > 0 && d.isFirst { // the first number is in the header, and in no miniblock
		d.numbersLeft--
		d.isFirst = false
	}
	for d.numbersLeft > 0 {
		if err := d.nextMiniblock(); err != nil {
			return nil, err
		}
		d.numbersLeft -= min(d.numbersLeft, d.differencesLeft)
	}
	return d.text, nil
}
