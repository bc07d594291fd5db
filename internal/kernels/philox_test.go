package kernels

import "testing"

// TestPhiloxKnownAnswers has the vectors for philox4x32 of the file
// kat_vectors of Random123, the authors' own library.
func TestPhiloxKnownAnswers(t *testing.T) {
	const ones = 0xFFFFFFFF
	zero, full, pi := [4]uint32{}, [4]uint32{ones, ones, ones, ones}, [4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}
	for _, c := range []struct {
		rounds  int
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{7, zero, [2]uint32{}, [4]uint32{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}},
		{7, full, [2]uint32{ones, ones}, [4]uint32{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
		{7, pi, [2]uint32{0xa4093822, 0x299f31d0}, [4]uint32{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}},
		{10, zero, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{10, full, [2]uint32{ones, ones}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{10, pi, [2]uint32{0xa4093822, 0x299f31d0}, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := philoxWords(c.counter, c.key, c.rounds); got != c.want {
			t.Errorf("%d rounds of %x, %x: %x, want %x", c.rounds, c.counter, c.key, got, c.want)
		}
	}
}

// philoxWords returns philox with arrays.
func philoxWords(counter [4]uint32, key [2]uint32, rounds int) [4]uint32 {
	c0, c1, c2, c3 := philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1], rounds)
	return [4]uint32{c0, c1, c2, c3}
}
