package rowset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/internal/expect"
)

// hashesOf returns the hashes of rows with one input, and the target 0.
func hashesOf(inputs ...float64) []uint64 {
	var hashes []uint64
	for _, v := range inputs {
		hashes = append(hashes, Hash([]float64{v}, []float64{0}))
	}
	return hashes
}

// A file may hold a number as float32, and 0 with a sign; neither is another row.
func TestHashOfEqualRows(t *testing.T) {
	for _, c := range []struct{ a, b float64 }{{0.1, float64(float32(0.1))}, {0, math.Copysign(0, -1)}} {
		if Hash([]float64{c.a, 2}, []float64{3}) != Hash([]float64{c.b, 2}, []float64{3}) {
			t.Errorf("%v and %v have different hashes", c.a, c.b)
		}
	}
	if Hash([]float64{1, 2}, []float64{3}) == Hash([]float64{2, 1}, []float64{3}) {
		t.Error("the order of the inputs does not change the hash")
	}
}

// Hashes are stored in models, so they must never change. Expected: the first 8 bytes,
// little-endian, of sha256(0x0000803f 0x00000040 0x00004040), which sha256sum prints.
func TestHashIsStable(t *testing.T) {
	if got, want := Hash([]float64{1, 2}, []float64{3}), uint64(0xe04ea7e67987628e); got != want {
		t.Errorf("the hash is %#x, want %#x", got, want)
	}
}

func TestCompare(t *testing.T) {
	s := New(hashesOf(1, 2, 3, 4))
	o := s.Compare(hashesOf(9, 3, 8, 1))
	if !slices.Equal(o.Equal, []int{1, 3}) || o.Rows != 4 || o.Compared != 4 || o.Chance != 0 || o.ExplainedByChance() {
		t.Errorf("got %+v", o)
	}
	if o := s.Compare(hashesOf(7, 8)); len(o.Equal) != 0 || !o.ExplainedByChance() {
		t.Errorf("fresh rows: %+v", o)
	}
}

// Where a column has few different values, new rows are equal to members by chance. Here
// members and new rows come from the same distribution, with more and more values.
func TestNewRowsAreEqualByChance(t *testing.T) {
	for _, values := range []int{10, 1000, 100_000, 10_000_000} {
		for _, rows := range []int{50, 5000} {
			for seed := range uint64(20) {
				rng := rand.New(rand.NewPCG(seed, uint64(values)))
				draw := func(n int) []uint64 {
					var hashes []uint64
					for range n {
						hashes = append(hashes, hashesOf(float64(rng.IntN(values)))...)
					}
					return hashes
				}
				s, fresh := New(draw(2000)), draw(rows)
				o := s.Compare(fresh)
				if o.TwinFraction == 0 {
					continue // no two rows of the set are equal: any equal row is then refused, see TestCompare
				}
				if !o.ExplainedByChance() {
					t.Errorf("%d values, %d rows: %d are equal, and chance explains %d", values, rows, len(o.Equal), o.Chance)
				}
			}
		}
	}
}

// Members among new rows are noticed although chance makes some new rows equal to members:
// there are 250,000 possible rows and 2,000 members, so that about 1 of 200 new rows is
// equal to a member.
func TestMembersAmongNewRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []uint64 {
		var hashes []uint64
		for range n {
			hashes = append(hashes, Hash([]float64{float64(rng.IntN(500)), float64(rng.IntN(500))}, []float64{0}))
		}
		return hashes
	}
	rows := draw(2000)
	s := New(slices.Clone(rows))
	if o := s.Compare(slices.Concat(draw(183), rows[:17])); o.ExplainedByChance() || len(o.Equal) < 17 {
		t.Errorf("17 of 200 rows are of the set: %+v", o)
	}
	if o := s.Compare(draw(200)); !o.ExplainedByChance() {
		t.Errorf("no row is of the set: %+v", o)
	}
}

// A row of both sets is one member of the union. Two members would suggest that equal rows are common.
func TestUnion(t *testing.T) {
	a, b := New(hashesOf(1, 2, 2, 3)), New(hashesOf(2, 3, 3, 4))
	want := New(hashesOf(1, 2, 2, 3, 3, 4))
	for _, got := range []*Set{a.Union(b), b.Union(a)} {
		if !slices.Equal(got.hashes, want.hashes) || got.rows != 6 {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if got := a.Union(a); !slices.Equal(got.hashes, a.hashes) || got.rows != 4 {
		t.Errorf("with itself: %v, want %v", got, a)
	}
}

// large returns a set with twice as many members as it keeps hashes, and all the hashes.
func large(seed uint64) (s *Set, hashes []uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 2 * maxHashes {
		hashes = append(hashes, rng.Uint64())
	}
	return New(slices.Clone(hashes)), hashes
}

// A large set keeps a sample of its members, and compares other rows with the sample.
func TestLargeSet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	s, hashes := large(1)
	if s.Rows() != 2*maxHashes || len(s.hashes) != maxHashes {
		t.Fatalf("%d rows, %d hashes", s.Rows(), len(s.hashes))
	}
	const n = 1000
	if o := s.Compare(hashes[:n]); len(o.Equal) != o.Compared || o.Compared < n/2-100 || o.Compared > n/2+100 {
		t.Errorf("of %d rows of the set, %d are compared and %d found; want about half, all found", n, o.Compared, len(o.Equal))
	}
	_, others := large(2)
	if o := s.Compare(others[:n]); len(o.Equal) != 0 {
		t.Errorf("%d of %d other rows are found", len(o.Equal), n)
	}
	union := s.Union(New(slices.Clone(others[:n])))
	if o := union.Compare(others[:n]); len(o.Equal) != o.Compared || o.Compared < n/2-100 || union.Rows() <= len(union.hashes) {
		t.Errorf("of the union: %d of %d rows found", len(o.Equal), o.Compared)
	}
}

func TestForms(t *testing.T) {
	big, _ := large(1)
	for _, s := range []*Set{New(nil), New(hashesOf(1, 2, 2)), big} {
		text := expect.Must(s.MarshalText())
		again := new(Set)
		expect.NoError(t, again.UnmarshalText(text))
		if again.rows != s.rows || !slices.Equal(again.hashes, s.hashes) {
			t.Errorf("%d rows are %d after reading", s.rows, again.rows)
		}
	}
}

// UnmarshalBinary refuses a file, or reads a set with which rows can be compared.
func FuzzSet(f *testing.F) {
	form, _ := New(hashesOf(1, 2, 2)).MarshalBinary()
	f.Add(form)
	f.Add(form[:len(form)-8])
	f.Add(form[:len(form)-1])
	f.Fuzz(func(t *testing.T, form []byte) {
		s := new(Set)
		if s.UnmarshalBinary(form) != nil {
			return
		}
		if o := s.Union(s).Compare(hashesOf(1, 2, 3)); o.Compared < len(o.Equal) {
			t.Errorf("got %+v", o)
		}
		if again, err := s.MarshalBinary(); err != nil || !slices.Equal(again, form) {
			t.Errorf("%x and read again %x, %v", form, again, err)
		}
	})
}
