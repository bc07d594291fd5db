package graph

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// origin returns " (at FILE:LINE)" for the line that a user has to look at, or "": the
// innermost line on the caller's stack outside this module's machinery, Gorgonia and Go
// itself.
func origin() string { return originAt(false) }

// originAt is origin; if panicking is set, it returns the line that caused the panic which
// is being recovered.
func originAt(panicking bool) string {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	inner := "" // the innermost line in this module's parts of methods, such as a loss or a layer
	for {
		frame, more := frames.Next()
		if panicking { // skips the functions that recover
			panicking = more && frame.Function != "runtime.gopanic"
			continue
		}
		at := fmt.Sprintf(" (at %s:%d)", frame.File[strings.LastIndexByte(frame.File, '/')+1:], frame.Line)
		switch ownerOf(frame) {
		case userCode:
			return at
		case partCode:
			if inner == "" {
				inner = at
			}
		case callerCode:
			return inner
		}
		if !more {
			return inner
		}
	}
}

// Recover stores in err an error for a panic, which says what panicked and at which line. It
// works only as a deferred call:
//
//	defer graph.Recover(&err, "the objective of method sml")
func Recover(err *error, what string) {
	r := recover()
	if r == nil {
		return
	}
	if cause, ok := r.(error); ok {
		*err = located{fmt.Errorf("%s: %w%s", what, cause, originAt(true))}
		return
	}
	*err = located{fmt.Errorf("%s: %v%s", what, r, originAt(true))}
}

// located is an error that says its line.
type located struct{ error }

func (l located) Unwrap() error { return l.error }

// owner says who wrote a line of code.
type owner uint8

const (
	userCode   owner = iota // a method, or a program that uses this module
	partCode                // a part of methods in this module: a loss, a layer
	callerCode              // code of this module that calls objectives, networks and predictors
	machinery               // code in which nobody looks for a mistake of a method
)

// root is the path of this module.
var root = strings.TrimSuffix(reflect.TypeFor[Builder]().PkgPath(), "/graph")

// library is the folder of Go's own packages, "" if the program does not know it.
var library = func() string {
	f := runtime.FuncForPC(reflect.ValueOf(strings.ToUpper).Pointer())
	file, _ := f.FileLine(f.Entry())
	at, _ := strings.CutSuffix(file, "strings/strings.go")
	return at
}()

// ownerOf returns the owner of a frame's line, by the path of its package.
func ownerOf(frame runtime.Frame) owner {
	path, name := splitFunction(frame.Function)
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
		return userCode
	case within(root+"/graph", root+"/internal"):
		return machinery
	case within(root + "/models"):
		switch of, _, _ := strings.Cut(name, "."); of {
		case "Spec", "Method", "Network":
			return callerCode
		case "(*passes)", "(*Task)", "(*Frozen)", "Hyperparameters":
			return machinery
		}
		return partCode
	case within(root + "/trainers/optimizer"):
		return partCode
	case within(root+"/trainers", root+"/evaluation", root+"/cmd", root+"/bench"):
		return callerCode
	}
	return userCode
}

// splitFunction splits the name of a function into the path of its package and the rest:
// "gorgonia.org/gorgonia" and "(*Node).Name".
func splitFunction(function string) (path, name string) {
	dot := strings.LastIndexByte(function, '/') + 1
	at := strings.IndexByte(function[dot:], '.')
	if at < 0 {
		return function, ""
	}
	return function[:dot+at], function[dot+at+1:]
}
