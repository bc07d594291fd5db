package study

import (
	"encoding/binary"
	"math"
	"slices"
)

// predictionColumns are those of a file of predictions.
var predictionColumns = []struct {
	name  string
	float bool
	bits  func(p *Prediction) uint64
}{
	{"row", false, func(p *Prediction) uint64 { return uint64(p.Row) }},
	{"target", false, func(p *Prediction) uint64 { return uint64(p.Target) }},
	{"y", true, func(p *Prediction) uint64 { return math.Float64bits(p.Y) }},
	{"mean", true, func(p *Prediction) uint64 { return math.Float64bits(p.Mean) }},
	{"std", true, func(p *Prediction) uint64 { return math.Float64bits(p.Std) }},
	{"std_drop", true, func(p *Prediction) uint64 { return math.Float64bits(p.StdDrop) }},
	{"offset", true, func(p *Prediction) uint64 { return math.Float64bits(p.Offset) }},
}

// Numbers of Parquet's types and encodings (parquet.thrift of apache/parquet-format),
// and types of Thrift's compact protocol.
const (
	parquetInt64, parquetDouble = 2, 5
	parquetPlain, parquetRLE    = 0, 3

	thriftInt, thriftLong, thriftText, thriftList, thriftObject = 5, 6, 8, 9, 12
)

// predictionsParquet returns a Parquet file in its simplest form: one row group,
// plain values, no compression, nothing optional.
func predictionsParquet(rows []Prediction) []byte {
	const magic = "PAR1"
	const page = 1 << 20 // rows: a page's size is an int32
	file := []byte(magic)
	var schema, chunks []func(t *thrift)
	for _, c := range predictionColumns {
		start, kind := len(file), parquetInt64
		if c.float {
			kind = parquetDouble
		}
		for part := range slices.Chunk(rows, page) {
			var head thrift
			head.object(func() {
				head.number(1, thriftInt, 0) // a page of data
				head.number(2, thriftInt, 8*len(part))
				head.number(3, thriftInt, 8*len(part))
				head.field(5, thriftObject)
				head.object(func() {
					head.number(1, thriftInt, len(part))
					head.number(2, thriftInt, parquetPlain)
					head.number(3, thriftInt, parquetRLE) // of levels, which there are none of
					head.number(4, thriftInt, parquetRLE)
				})
			})
			file = append(file, head.out...)
			for i := range part {
				file = binary.LittleEndian.AppendUint64(file, c.bits(&part[i]))
			}
		}
		size := len(file) - start
		schema = append(schema, func(t *thrift) {
			t.number(1, thriftInt, kind)
			t.number(3, thriftInt, 0) // required
			t.text(4, c.name)
		})
		chunks = append(chunks, func(t *thrift) {
			t.number(2, thriftLong, start)
			t.field(3, thriftObject)
			t.object(func() {
				t.number(1, thriftInt, kind)
				t.list(2, thriftInt, 1)
				t.varint(parquetPlain)
				t.list(3, thriftText, 1)
				t.word(c.name)
				t.number(4, thriftInt, 0) // uncompressed
				t.number(5, thriftLong, len(rows))
				t.number(6, thriftLong, size)
				t.number(7, thriftLong, size)
				t.number(9, thriftLong, start)
			})
		})
	}
	var meta thrift
	meta.object(func() {
		meta.number(1, thriftInt, 1) // version
		meta.list(2, thriftObject, len(schema)+1)
		meta.object(func() {
			meta.text(4, "predictions")
			meta.number(5, thriftInt, len(schema))
		})
		meta.objects(schema)
		meta.number(3, thriftLong, len(rows))
		meta.list(4, thriftObject, 1)
		meta.object(func() {
			meta.list(1, thriftObject, len(chunks))
			meta.objects(chunks)
			meta.number(2, thriftLong, len(file)-len(magic))
			meta.number(3, thriftLong, len(rows))
		})
	})
	file = append(file, meta.out...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(meta.out)))
	return append(file, magic...)
}

// thrift writes Thrift's compact protocol.
type thrift struct {
	out  []byte
	last int // field of the object that is being written
}

func (t *thrift) object(fields func()) {
	outer := t.last
	t.last = 0
	fields()
	t.last, t.out = outer, append(t.out, 0)
}

func (t *thrift) objects(list []func(t *thrift)) {
	for _, fields := range list {
		t.object(func() { fields(t) })
	}
}

func (t *thrift) field(id int, kind byte) {
	t.out = append(t.out, byte(id-t.last)<<4|kind)
	t.last = id
}

func (t *thrift) number(id int, kind byte, v int) {
	t.field(id, kind)
	t.varint(v)
}

func (t *thrift) text(id int, s string) {
	t.field(id, thriftText)
	t.word(s)
}

// list begins a list of fewer than 15.
func (t *thrift) list(id int, kind byte, n int) {
	t.field(id, thriftList)
	t.out = append(t.out, byte(n)<<4|kind)
}

func (t *thrift) varint(v int) { t.out = binary.AppendVarint(t.out, int64(v)) }

func (t *thrift) word(s string) { t.out = append(binary.AppendUvarint(t.out, uint64(len(s))), s...) }
