package preparation

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sml/internal/statistics"
)

// Names of supports. A support may also be two numbers, such as "0..1".
const (
	Auto = "auto" // transform or support chosen by the training rows
	None = "none" // no transform, or no bounds

	positiveSupport    = "positive"     // above 0; predictions may be 0
	nonNegativeSupport = "non-negative" // 0 or above
	supportSeparator   = ".."           // between the two ends of a support
)

// Support holds the bounds of a target in its own unit. Predictions stay within them.
type Support struct {
	Low  *float64 `json:"low,omitempty"`  // smallest value; nil if there is none
	High *float64 `json:"high,omitempty"` // largest value; nil if there is none

	Reason string `json:"reason,omitempty"` // why Auto chose the bounds; "" if the user did
}

// Limits returns the smallest and the largest value of the support, infinite where there is none.
func (s Support) Limits() (low, high float64) {
	low = math.Inf(-1)
	if s.Low != nil {
		low = *s.Low
	}
	high = math.Inf(1)
	if s.High != nil {
		high = *s.High
	}
	return low, high
}

// String returns a description such as "0 to 1" or "0 or more".
func (s Support) String() string {
	switch {
	case s.Low != nil && s.High != nil:
		return fmt.Sprintf("%v to %v", *s.Low, *s.High)
	case s.Low != nil:
		return fmt.Sprintf("%v or more", *s.Low)
	case s.High != nil:
		return fmt.Sprintf("%v or less", *s.High)
	}
	return "any number"
}

// IsBounded reports whether the support has a bound.
func (s Support) IsBounded() bool { return s.Low != nil || s.High != nil }

// check returns an error unless the bounds are finite and ascending.
func (s Support) check() error {
	for _, bound := range []*float64{s.Low, s.High} {
		if bound != nil && !statistics.IsFinite(*bound) {
			return fmt.Errorf("the bound %v of the targets is not finite", *bound)
		}
	}
	if s.Low != nil && s.High != nil && !(*s.Low < *s.High) {
		return fmt.Errorf("the bounds %v and %v of the targets do not ascend", *s.Low, *s.High)
	}
	return nil
}

// parseSupport returns the support with a name, or with the bounds LOW..HIGH. One bound may be left
// out: "0..1", "0..", "..100". It returns no bounds for "", None and Auto.
func parseSupport(text string) (Support, error) {
	zero := 0.0
	switch text {
	case "", None, Auto:
		return Support{}, nil
	case positiveSupport, nonNegativeSupport:
		return Support{Low: &zero}, nil
	}
	low, high, isRange := strings.Cut(text, supportSeparator)
	if !isRange || low == "" && high == "" {
		return Support{}, unknownSupport(text)
	}
	var s Support
	var lowErr, highErr error
	s.Low, lowErr = parseBound(low)
	s.High, highErr = parseBound(high)
	if errors.Join(lowErr, highErr) != nil {
		return Support{}, unknownSupport(text)
	}
	return s, s.check()
}

// parseBound returns the number that text stands for, or nil for "".
func parseBound(text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	bound, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return &bound, err
}

// unknownSupport returns the error for an unknown name of a support.
func unknownSupport(text string) error {
	return fmt.Errorf("unknown support %q; want %s, %s, %s, %s or bounds such as 0..1", text, Auto, None, positiveSupport, nonNegativeSupport)
}

// fitSupport returns the support with a name, or the support that Auto chooses for y, the training
// targets of the given name. It returns an error if a training target is out of bounds.
func fitSupport(name, target string, y []float64) (Support, error) {
	if name == Auto {
		return chooseSupport(y), nil
	}
	s, err := parseSupport(name)
	if err != nil {
		return s, err
	}
	low, high := s.Limits()
	for _, value := range y {
		isAtOpenEnd := name == positiveSupport && value == 0
		if value < low || value > high || isAtOpenEnd {
			return s, fmt.Errorf("the target %q is %v in a training row, outside of the support %s; choose another support", target, value, name)
		}
	}
	return s, nil
}
