package data

import "fmt"

// Mode is one of two ways of doing things wherever the paper's own way is
// questionable.
type Mode string

const (
	Paper Mode = "paper" // exactly as the paper and its notebook do
	Sound Mode = "sound" // the better thing
)

// ParseMode returns the mode of that name.
func ParseMode(name string) (Mode, error) {
	switch m := Mode(name); m {
	case Paper, Sound:
		return m, nil
	}
	return "", fmt.Errorf("unknown mode %q: there is %s, %s", name, Paper, Sound)
}
