package data

import "fmt"

// Protocol chooses between the paper's way and a corrected way where the paper's way is
// questionable.
type Protocol string

const (
	Paper Protocol = "paper" // as the paper and its notebook do, with their errors
	Sound Protocol = "sound" // with these errors corrected
)

// ParseProtocol returns the protocol with the given name.
func ParseProtocol(name string) (Protocol, error) {
	if p := Protocol(name); p == Paper || p == Sound {
		return p, nil
	}
	return "", fmt.Errorf("unknown protocol %q: there is %s, %s", name, Paper, Sound)
}
