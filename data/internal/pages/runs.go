package pages

import (
	"encoding/binary"
	"io"
)

// bitsPerByte converts between bits and bytes.
const bitsPerByte = 8

// hybridRuns decodes the RLE/bit-packing hybrid encoding of Parquet: a sequence of runs, each
// of which either repeats one number or lists numbers of bitWidth bits.
type hybridRuns struct {
	text     []byte // runs not yet begun
	bitWidth int    // bits of a number, up to 32

	runLeft    uint64 // unread numbers of the run
	isRepeated bool   // the run repeats value; otherwise its numbers are in packed
	value      uint32
	packed     []byte
	bitOffset  uint64 // of the next number in packed
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

// nextRun reads the header of the next run. The header's lowest bit tells the kind of run, and
// its other bits are the count: of numbers, or of packed groups of 8 numbers.
func (r *hybridRuns) nextRun() error {
	header, n := binary.Uvarint(r.text)
	if n <= 0 {
		return io.ErrUnexpectedEOF
	}
	r.text = r.text[n:]
	count := header >> 1
	if header&1 == 0 {
		return r.beginRepeatedRun(count)
	}
	return r.beginPackedRun(count)
}

// beginRepeatedRun reads the value of a run that repeats it count times.
func (r *hybridRuns) beginRepeatedRun(count uint64) error {
	size := (r.bitWidth + bitsPerByte - 1) / bitsPerByte
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
// text may be cut off.
func (r *hybridRuns) beginPackedRun(groups uint64) error {
	const maxGroups = 1 << 40 // keeps the products below from overflowing
	if groups > uint64(len(r.text))+1 && r.bitWidth > 0 || groups > maxGroups {
		return io.ErrUnexpectedEOF
	}
	size := min(groups*uint64(r.bitWidth), uint64(len(r.text))) // 8 numbers of n bits take n bytes
	r.packed, r.text = r.text[:size:size], r.text[size:]
	r.runLeft = 8 * groups
	r.bitOffset = 0
	r.isRepeated = false
	return nil
}

// bitsAt returns the number of width bits, at most 64, that begins offset bits into text, with
// the lowest bit first. Bits after the end of the text are 0.
func bitsAt(text []byte, offset uint64, width int) (v uint64) {
	for have := 0; have < width; {
		i := int(offset / bitsPerByte)
		if i >= len(text) {
			break
		}
		shift := int(offset % bitsPerByte)
		take := min(bitsPerByte-shift, width-have)
		v |= uint64(text[i]>>shift) & (1<<take - 1) << have
		have += take
		offset += uint64(take)
	}
	return v
}

// deltaDecoder decodes the delta binary packing of Parquet. The encoding stores the first
// number, and then the differences between neighbours in blocks: the smallest difference of
// the block, and the distances from it in miniblocks of packed bits.
type deltaDecoder struct {
	text        []byte
	numbersLeft uint64
	atFirst     bool  // the next number is the first one
	previous    int64 // the number returned last; the first number while atFirst is true

	miniblocks    int    // number of miniblocks in a block
	miniblockSize uint64 // number of differences in a miniblock

	minDelta      int64  // smallest difference of the block
	bitWidths     []byte // bit widths of the block's unread miniblocks
	packed        []byte // differences of the miniblock
	bitWidth      int    // bits of a difference in packed
	bitOffset     uint64 // of the next difference in packed
	miniblockLeft uint64 // unread differences of the miniblock
}

// maxDeltaBlock is the maximum number of differences in a block; programs write 128 or 256.
const maxDeltaBlock = 1 << 16

// newDeltaDecoder reads the header of delta-packed numbers, which begin at the start of text.
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
	if blockSize == 0 || blockSize > maxDeltaBlock || miniblocks == 0 || miniblocks > blockSize || blockSize%miniblocks != 0 {
		return nil, errInconsistent
	}
	first, n := binary.Varint(text)
	if n <= 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return &deltaDecoder{
		text:          text[n:],
		numbersLeft:   count,
		atFirst:       true,
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
	if d.atFirst {
		d.atFirst = false
		return d.previous, nil
	}
	for d.miniblockLeft == 0 {
		if err := d.nextMiniblock(); err != nil {
			return 0, err
		}
	}
	d.miniblockLeft--
	d.previous += d.minDelta + int64(bitsAt(d.packed, d.bitOffset, d.bitWidth)) // wraps around, as the encoding says
	d.bitOffset += uint64(d.bitWidth)
	return d.previous, nil
}

// nextMiniblock takes the bytes of the next miniblock, after the header of its block if it is
// the first one of a block. The last miniblock may be cut off.
func (d *deltaDecoder) nextMiniblock() error {
	if len(d.bitWidths) == 0 {
		minDelta, n := binary.Varint(d.text)
		if n <= 0 || len(d.text)-n < d.miniblocks {
			return io.ErrUnexpectedEOF
		}
		d.minDelta = minDelta
		d.bitWidths, d.text = d.text[n:n+d.miniblocks], d.text[n+d.miniblocks:]
	}
	d.bitWidth = int(d.bitWidths[0])
	if d.bitWidth > 64 {
		return errInconsistent
	}
	d.bitWidths = d.bitWidths[1:]
	size := min(int(d.miniblockSize)*d.bitWidth/bitsPerByte, len(d.text))
	d.packed, d.text = d.text[:size:size], d.text[size:]
	d.bitOffset = 0
	d.miniblockLeft = d.miniblockSize
	return nil
}

// skipAll skips all numbers and returns the text after them.
func (d *deltaDecoder) skipAll() ([]byte, error) {
	if d.numbersLeft > 0 && d.atFirst {
		d.numbersLeft--
		d.atFirst = false
	}
	for d.numbersLeft > 0 {
		if err := d.nextMiniblock(); err != nil {
			return nil, err
		}
		d.numbersLeft -= min(d.numbersLeft, d.miniblockLeft)
	}
	return d.text, nil
}
