// Package rowset finds the rows of a table that are equal to rows of another table, such as the
// training rows of a model. Start with Hash, New and Set.Compare. The package keeps no values: a
// 64-bit hash of a row's inputs and targets stands for the row.
//
// A hash depends only on the row's values, not on its position, on other rows or on the file's
// format. Numbers are rounded to float32 before they are hashed, since a file may hold the same number
// as float32, as float64 or as text.
package rowset

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxHashes is the largest number of hashes that a set keeps; they take 8 MiB. A set of more rows
// keeps the smallest hashes. Their rows are a random sample of all rows.
const maxHashes = 1 << 20

// Hash returns the hash of the row with the given inputs and targets.
func Hash(inputs, targets []float64) uint64 {
	const float32Size = 4
	bits := make([]byte, 0, float32Size*(len(inputs)+len(targets)))
	for _, values := range [][]float64{inputs, targets} {
		for _, v := range values {
			bits = binary.LittleEndian.AppendUint32(bits, canonicalBits(v))
		}
	}
	sum := sha256.Sum256(bits)
	return binary.LittleEndian.Uint64(sum[:hashSize]) // 64 bits: two of 10 million rows collide with a probability below 1e-5
}

// hashSize is the number of bytes of a hash.
const hashSize = 8

// canonicalBits returns the bits of v as a float32: the same for 0 and −0, and for any NaN.
func canonicalBits(v float64) uint32 {
	rounded := float32(v)
	switch {
	case rounded == 0:
		return 0
	case rounded != rounded: // only a NaN differs from itself
		return math.Float32bits(float32(math.NaN()))
	}
	return math.Float32bits(rounded)
}

// Set is a multiset of rows, its members. Equal rows are separate members.
type Set struct {
	rows   int      // number of members, at least len(hashes)
	hashes []uint64 // hashes of the members, ascending; the smallest ones if there are more than maxHashes
}

// New returns the set of the rows with the given hashes. It sorts the hashes in place and may keep the
// slice.
func New(hashes []uint64) *Set { return newSet(len(hashes), hashes) }

// newSet returns a set of the given number of rows, which keeps at most maxHashes of the hashes, the
// smallest ones. It sorts the hashes in place.
func newSet(rows int, hashes []uint64) *Set {
	slices.Sort(hashes)
	if len(hashes) > maxHashes {
		hashes = slices.Clone(hashes[:maxHashes])
	}
	return &Set{rows, hashes}
}

// Rows returns the number of members.
func (s *Set) Rows() int { return s.rows }

// isComplete reports whether the set keeps the hashes of all members.
func (s *Set) isComplete() bool { return s.rows == len(s.hashes) }

// limit returns the hash up to which the set keeps all hashes: it has no larger ones, unless it is
// complete. Two sets can be compared up to the smaller of their limits.
func (s *Set) limit() uint64 {
	if s.isComplete() {
		return math.MaxUint64
	}
	return s.hashes[len(s.hashes)-1]
}

// Union returns the members of both sets. A row that occurs in both sets is not counted twice: the
// union has as many copies of it as the set with more copies. If a set does not keep the hashes of all
// members, the number of rows of the union is only a lower bound.
func (s *Set) Union(other *Set) *Set {
	limit := min(s.limit(), other.limit())
	var union []uint64
	i, j := 0, 0 // indices of the next hashes of s and of other
	for i < len(s.hashes) || j < len(other.hashes) {
		onlyOwn := j == len(other.hashes) || i < len(s.hashes) && s.hashes[i] < other.hashes[j]
		onlyOther := i == len(s.hashes) || j < len(other.hashes) && other.hashes[j] < s.hashes[i]
		var next uint64 // smallest hash that is left
		switch {
		case onlyOwn:
			next = s.hashes[i]
			i++
		case onlyOther:
			next = other.hashes[j]
			j++
		default: // a row of both sets
			next = s.hashes[i]
			i++
			j++
		}
		if next > limit {
			break
		}
		union = append(union, next)
	}
	rows := len(union)
	if limit < math.MaxUint64 {
		rows = max(s.rows, other.rows, len(union)+1) // the exact number is unknown
	}
	return newSet(rows, union)
}

// Overlap is the result of comparing the rows of a table with a set.
type Overlap struct {
	Rows     int   // number of rows of the table
	Compared int   // number of rows compared: all rows, unless the set has more than maxHashes members
	Equal    []int // positions, ascending, of the rows equal to a member

	TwinFraction float64 // fraction of the members with an equal member
	Chance       int     // largest length of Equal that chance explains, according to TwinFraction
}

// ExplainedByChance reports whether chance explains the number of equal rows.
func (o Overlap) ExplainedByChance() bool { return len(o.Equal) <= o.Chance }

// Compare compares rows, given by their hashes, with the set.
func (s *Set) Compare(hashes []uint64) Overlap {
	o := Overlap{Rows: len(hashes)}
	limit := s.limit()
	for i, hash := range hashes {
		if hash > limit { // the set may have dropped an equal hash
			continue
		}
		o.Compared++
		_, found := slices.BinarySearch(s.hashes, hash)
		if found {
			o.Equal = append(o.Equal, i)
		}
	}
	o.TwinFraction, o.Chance = s.estimateChance(o.Compared)
	return o
}

// maxDeviations is the number of standard deviations above the expected number of equal
// rows that is still taken for chance.
const maxDeviations = 4

// estimateChance returns the fraction of the members with an equal member. It also returns the largest
// number of rows equal to a member that chance explains among n new rows from the same distribution.
//
// The fraction estimates the probability that a new row equals a member (Good 1953). The variance of
// the estimate is ((1 − fraction)·fraction + pairs)/members (Esty 1983), where pairs is the fraction
// of the members with exactly one equal member.
func (s *Set) estimateChance(n int) (twinFraction float64, maxEqual int) {
	unique, paired := s.countTwins()
	if unique == len(s.hashes) { // also if the set is empty
		return 0, 0
	}
	members := float64(len(s.hashes))
	newRows := float64(n)
	twinFraction = float64(len(s.hashes)-unique) / members
	pairs := float64(paired) / members
	rowVariance := float64(twinFraction * (1 - twinFraction)) // of one row, which equals a member or not
	estimateVariance := float64((rowVariance + pairs) / members)
	// The new rows vary around the probability, and the probability is itself uncertain.
	variance := float64(newRows*rowVariance) + float64(newRows*newRows*estimateVariance)
	bound := float64(newRows*twinFraction) + float64(maxDeviations*math.Sqrt(variance)) + 1 // 1 to round up
	return twinFraction, int(min(bound, newRows))
}

// countTwins returns the number of members with no equal member, and with exactly one.
func (s *Set) countTwins() (unique, paired int) {
	for i := 0; i < len(s.hashes); {
		end := i + 1 // of the run of equal hashes
		for end < len(s.hashes) && s.hashes[end] == s.hashes[i] {
			end++
		}
		switch end - i {
		case 1:
			unique++
		case 2:
			paired += 2
		}
		i = end
	}
	return unique, paired
}

// The binary form of a set is the header, the number of members and the hashes. Numbers are 64-bit
// integers, little-endian.
const header = "SMLROWS1"

// numberSize is the size of a number in the binary form, in bytes.
const numberSize = 8

// MaxSize is the largest size of the binary form, in bytes.
const MaxSize = len(header) + numberSize + numberSize*maxHashes

// MarshalBinary returns the binary form of the set.
func (s *Set) MarshalBinary() ([]byte, error) {
	form := make([]byte, 0, len(header)+numberSize+numberSize*len(s.hashes))
	form = append(form, header...)
	form = binary.LittleEndian.AppendUint64(form, uint64(s.rows))
	for _, h := range s.hashes {
		form = binary.LittleEndian.AppendUint64(form, h)
	}
	return form, nil
}

// UnmarshalBinary reads the binary form of a set. It returns an error for other data.
func (s *Set) UnmarshalBinary(form []byte) error {
	rest, hasHeader := bytes.CutPrefix(form, []byte(header))
	hasWholeNumbers := len(rest) >= numberSize && len(rest)%numberSize == 0
	if !hasHeader || !hasWholeNumbers || len(form) > MaxSize {
		return errors.New("the file is not a set of hashes of rows, or is cut short")
	}
	rows := binary.LittleEndian.Uint64(rest)
	rest = rest[numberSize:]
	hashes := make([]uint64, len(rest)/numberSize)
	for i := range hashes {
		hashes[i] = binary.LittleEndian.Uint64(rest[numberSize*i:])
	}
	if !slices.IsSorted(hashes) {
		return errors.New("the hashes of rows are not in ascending order")
	}
	lacksHashes := rows > uint64(len(hashes)) && len(hashes) < maxHashes // a smaller set keeps all hashes
	if rows < uint64(len(hashes)) || lacksHashes || rows > math.MaxInt {
		return fmt.Errorf("the file is for %d rows, but holds the hashes of %d", rows, len(hashes))
	}
	s.rows = int(rows)
	s.hashes = hashes
	return nil
}

// MarshalText returns the binary form in base64, for JSON.
func (s *Set) MarshalText() ([]byte, error) {
	form, err := s.MarshalBinary()
	return base64.StdEncoding.AppendEncode(nil, form), err
}

// UnmarshalText reads the text that MarshalText returns. It returns an error for other text.
func (s *Set) UnmarshalText(text []byte) error {
	form, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	return s.UnmarshalBinary(form)
}
