package pages

import (
	"encoding/binary"
	"io"
)

// runs decodes numbers in Parquet's hybrid of run lengths and bit packing.
type runs struct {
	text  []byte
	width int // bits of a number, up to 32

	left    uint64 // unread numbers of the run
	repeats bool   // the run repeats value; otherwise it is packed
	value   uint32
	packed  []byte
	bit     uint64 // place in packed
}

func newRuns(text []byte, width int) (*runs, error) {
	if width < 0 || width > 32 {
		return nil, errBroken
	}
	return &runs{text: text, width: width}, nil
}

func (r *runs) next() (uint32, error) {
	for r.left == 0 {
		if err := r.begin(); err != nil {
			return 0, err
		}
	}
	r.left--
	if r.repeats {
		return r.value, nil
	}
	v := bits(r.packed, r.bit, r.width)
	r.bit += uint64(r.width)
	return uint32(v), nil
}

// begin reads the head of a run.
func (r *runs) begin() error {
	head, n := binary.Uvarint(r.text)
	if n <= 0 {
		return io.ErrUnexpectedEOF
	}
	r.text = r.text[n:]
	count := head >> 1
	if head&1 == 0 {
		size := (r.width + 7) / 8
		if size > len(r.text) {
			return io.ErrUnexpectedEOF
		}
		r.value = 0
		for i, b := range r.text[:size] {
			r.value |= uint32(b) << (8 * i)
		}
		r.text, r.left, r.repeats = r.text[size:], count, true
		return nil
	}
	if count > uint64(len(r.text))+1 && r.width > 0 || count > 1<<40 {
		return io.ErrUnexpectedEOF
	}
	size := min(count*uint64(r.width), uint64(len(r.text))) // of groups of 8; the last may be cut off
	r.packed, r.text = r.text[:size:size], r.text[size:]
	r.left, r.bit, r.repeats = 8*count, 0, false
	return nil
}

// bits returns the number of width bits, at most 64, at the bit offset at, with the lowest
// bit first. Bits behind the end of the text are 0.
func bits(text []byte, at uint64, width int) (v uint64) {
	for have := 0; have < width; {
		i := int(at >> 3)
		if i >= len(text) {
			break
		}
		shift := int(at & 7)
		take := min(8-shift, width-have)
		v |= uint64(text[i]>>shift) & (1<<take - 1) << have
		have += take
		at += uint64(take)
	}
	return v
}

// deltas decodes numbers in Parquet's delta binary packing.
type deltas struct {
	text   []byte
	left   uint64 // numbers
	first  bool   // the next number is the first
	value  int64
	values uint64 // of a part of a block
	parts  int    // of a block

	least  int64  // difference in the block
	widths []byte // bit widths of the unread parts of the block
	packed []byte // of the part
	width  int
	bit    uint64
	inPart uint64 // unread numbers of the part
}

// maxBlock bounds the numbers of a block; programs write 128 or 256.
const maxBlock = 1 << 16

func newDeltas(text []byte) (*deltas, error) {
	d := &deltas{text: text, first: true}
	var head [3]uint64
	for i := range head {
		v, n := binary.Uvarint(d.text)
		if n <= 0 {
			return nil, io.ErrUnexpectedEOF
		}
		head[i], d.text = v, d.text[n:]
	}
	block, parts := head[0], head[1]
	if block == 0 || block > maxBlock || parts == 0 || parts > block || block%parts != 0 {
		return nil, errBroken
	}
	var n int
	if d.value, n = binary.Varint(d.text); n <= 0 {
		return nil, io.ErrUnexpectedEOF
	}
	d.text, d.left, d.parts, d.values = d.text[n:], head[2], int(parts), block/parts
	return d, nil
}

func (d *deltas) next() (int64, error) {
	if d.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	d.left--
	if d.first {
		d.first = false
		return d.value, nil
	}
	for d.inPart == 0 {
		if err := d.begin(); err != nil {
			return 0, err
		}
	}
	d.inPart--
	d.value += d.least + int64(bits(d.packed, d.bit, d.width)) // wraps around, as it is written
	d.bit += uint64(d.width)
	return d.value, nil
}

// begin begins a part of a block, and the block if it is the first.
func (d *deltas) begin() error {
	if len(d.widths) == 0 {
		least, n := binary.Varint(d.text)
		if n <= 0 || len(d.text)-n < d.parts {
			return io.ErrUnexpectedEOF
		}
		d.least, d.widths, d.text = least, d.text[n:n+d.parts], d.text[n+d.parts:]
	}
	if d.width = int(d.widths[0]); d.width > 64 {
		return errBroken
	}
	d.widths = d.widths[1:]
	size := min(int(d.values)*d.width/8, len(d.text)) // the last part may be cut off
	d.packed, d.text = d.text[:size:size], d.text[size:]
	d.bit, d.inPart = 0, d.values
	return nil
}

// rest passes over all numbers and returns the text behind them.
func (d *deltas) rest() ([]byte, error) {
	if d.left > 0 && d.first {
		d.left--
		d.first = false
	}
	for d.left > 0 {
		if err := d.begin(); err != nil {
			return nil, err
		}
		d.left -= min(d.left, d.inPart)
	}
	return d.text, nil
}
