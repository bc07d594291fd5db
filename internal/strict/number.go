package strict

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// Number is a float64 in JSON, which has no word for what is not finite: that
// is a text, "NaN", "+Inf" or "-Inf".
type Number float64

// MarshalJSON writes a number, or its text.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return json.Marshal(strconv.FormatFloat(v, 'g', -1, 64))
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads what MarshalJSON writes, and nothing else.
func (n *Number) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"NaN"`:
		*n = Number(math.NaN())
	case `"+Inf"`:
		*n = Number(math.Inf(1))
	case `"-Inf"`:
		*n = Number(math.Inf(-1))
	case "null":
		return errors.New("a number is missing")
	default:
		return json.Unmarshal(text, (*float64)(n))
	}
	return nil
}
