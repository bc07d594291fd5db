package data

import "fmt"

// Protocol chooses between the paper's way and a corrected way where the paper's way is
// questionable.
type Protocol string

const (
	Paper Protocol = "paper" // as Sicking et al. 2021 and their notebook do, with their errors: docs/reference/defaults.md
	Sound Protocol = "sound" // with these errors corrected
)

// ParseProtocol returns the protocol with the given name, or an error if there is none.
func ParseProtocol(name string) (Protocol, error) {
	protocol := Protocol(name)
	if protocol == Paper || protocol == Sound {
		return protocol, nil
	}
	return "", fmt.Errorf("unknown protocol %q; want %s or %s", name, Paper, Sound)
}
