package data

import "fmt"

// Protocol is one of two ways of doing things wherever the paper's own way is
// questionable.
type Protocol string

const (
	Paper Protocol = "paper" // exactly as the paper and its notebook do
	Sound Protocol = "sound" // the better thing
)

// ParseProtocol returns the protocol of that name.
func ParseProtocol(name string) (Protocol, error) {
	if p := Protocol(name); p == Paper || p == Sound {
		return p, nil
	}
	return "", fmt.Errorf("unknown protocol %q: there is %s, %s", name, Paper, Sound)
}
