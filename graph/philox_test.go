package graph

import "testing"

// Known answers of Random123 1.14, file kat_vectors.
func TestPhiloxKnownAnswers(t *testing.T) {
	ones := uint32(0xffffffff)
	for _, c := range []struct {
		rounds  int
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{7, [4]uint32{}, [2]uint32{}, [4]uint32{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}},
		{7, [4]uint32{ones, ones, ones, ones}, [2]uint32{ones, ones}, [4]uint32{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
		{10, [4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{10, [4]uint32{ones, ones, ones, ones}, [2]uint32{ones, ones}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
	} {
		if got := philox(c.counter, c.key, c.rounds); got != c.want {
			t.Errorf("%d rounds of %x with key %x: %x, want %x", c.rounds, c.counter, c.key, got, c.want)
		}
	}
}
