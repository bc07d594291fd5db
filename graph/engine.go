package graph

import (
	"fmt"
	"strings"
)

// Engine names what evaluates a graph.
type Engine string

const (
	Compiled Engine = "compiled" // a Program, the default
	Tape     Engine = "tape"     // Gorgonia's tape machine, the reference
)

// Engines lists the engines, the default first.
func Engines() []Engine { return []Engine{Compiled, Tape} }

// ParseEngine returns the engine of that name, the default for "".
func ParseEngine(name string) (Engine, error) {
	if name == "" {
		return Engines()[0], nil
	}
	var known []string
	for _, e := range Engines() {
		if string(e) == name {
			return e, nil
		}
		known = append(known, string(e))
	}
	return "", fmt.Errorf("unknown engine %q: there is %s", name, strings.Join(known, ", "))
}
