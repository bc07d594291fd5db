package graph

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Origin says " (at FILE:LINE)" of the line that somebody has to look at: the
// innermost one on the stack of whoever calls it that is not in this module's
// machinery, in Gorgonia, or in Go itself. It is "" where there is none.
func Origin() string { return origin(false) }

// origin is Origin, of the line that panicked if a panic is being recovered.
func origin(panicking bool) string {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	inner := "" // the innermost line of what a method is made of: a loss, a layer
	for {
		frame, more := frames.Next()
		if panicking { // what recovers comes first
			panicking = more && frame.Function != "runtime.gopanic"
			continue
		}
		at := fmt.Sprintf(" (at %s:%d)", frame.File[strings.LastIndexByte(frame.File, '/')+1:], frame.Line)
		switch whose(frame) {
		case yours:
			return at
		case parts:
			if inner == "" {
				inner = at
			}
		case callsYours:
			return inner
		}
		if !more {
			return inner
		}
	}
}

// Panicked is the error of a panic with r in what the words name, such as
// "the objective of method sml", with the line that panicked. It is called by
// the deferred function that recovers.
func Panicked(what string, r any) error {
	if err, ok := r.(error); ok {
		return located{fmt.Errorf("%s: %w%s", what, err, origin(true))}
	}
	return located{fmt.Errorf("%s: %v%s", what, r, origin(true))}
}

// located is an error that says its line.
type located struct{ error }

func (l located) Unwrap() error { return l.error }

// owner is whose code a line is.
type owner uint8

const (
	yours      owner = iota // of a method, or of a program that uses this module
	parts                   // of this module, and what methods are made of
	callsYours              // of this module, and calls objectives, networks and predictors
	machinery               // nobody looks there for a mistake in a method
)

// root is the path of this module, however it is called.
var root = strings.TrimSuffix(reflect.TypeFor[Builder]().PkgPath(), "/graph")

// library is where Go keeps its own packages, "" if the program does not say.
var library = func() string {
	f := runtime.FuncForPC(reflect.ValueOf(strings.ToUpper).Pointer())
	file, _ := f.FileLine(f.Entry())
	at, _ := strings.CutSuffix(file, "strings/strings.go")
	return at
}()

func whose(frame runtime.Frame) owner {
	path, name := split(frame.Function)
	within := func(packages ...string) bool {
		return slices.ContainsFunc(packages, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
	}
	switch {
	case frame.Function == "", within("runtime", "reflect", "internal", "sync", "slices", "sort", "strings", "math", "fmt", "errors"):
		return machinery
	case library != "" && strings.HasPrefix(frame.File, library):
		return machinery
	case within("gorgonia.org/gorgonia", "gorgonia.org/tensor", "gorgonia.org/vecf32", "gorgonia.org/vecf64", "github.com/chewxy/hm", "gonum.org/v1/gonum"):
		return machinery
	case strings.HasSuffix(frame.File, "_test.go"):
		return yours
	case within(root + "/graph"):
		return machinery
	case within(root + "/models"):
		switch of, _, _ := strings.Cut(name, "."); of {
		case "Spec", "Method", "Network":
			return callsYours
		case "(*passes)", "(*Task)", "(*Frozen)", "Hyperparameters":
			return machinery
		}
		return parts
	case within(root+"/trainers", root+"/evaluation", root+"/cmd", root+"/bench"):
		return callsYours
	}
	return yours
}

// split cuts the name of a function into its package's path and the rest:
// "gorgonia.org/gorgonia" and "(*Node).Name".
func split(function string) (path, name string) {
	dot := strings.LastIndexByte(function, '/') + 1
	at := strings.IndexByte(function[dot:], '.')
	if at < 0 {
		return function, ""
	}
	return function[:dot+at], function[dot+at+1:]
}
