package graph

import (
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// callerLine returns " (at FILE:LINE)" for the line in which a user has to look for a mistake, or ""
// if the stack has no such line. It is the innermost line of the user's code on the caller's stack.
// If a component of this module is in use, such as a loss, it is the component's line, unless the
// user's code calls it.
func callerLine() string { return innermostLine(callerFrames()) }

// panicLine is callerLine for the code that caused the panic which is being recovered.
func panicLine() string {
	frames := callerFrames()
	for {
		frame, more := frames.Next()
		if !more || frame.Function == "runtime.gopanic" { // what follows has called panic
			return innermostLine(frames)
		}
	}
}

// callerFrames returns the frames of the stack, innermost first.
func callerFrames() *runtime.Frames {
	const maxDepth = 256
	const skipped = 3 // runtime.Callers, callerFrames, and callerLine or panicLine
	pcs := make([]uintptr, maxDepth)
	return runtime.CallersFrames(pcs[:runtime.Callers(skipped, pcs)])
}

// innermostLine returns the innermost line of user code among frames: " (at FILE:LINE)". The search
// ends where this module has called an objective or a network, since user code further out did not
// write it. Then the innermost line of a component is returned, or "" if there is none: the
// objective is a component of this module itself.
func innermostLine(frames *runtime.Frames) string {
	componentLine := ""
	for {
		frame, more := frames.Next()
		fileName := frame.File[strings.LastIndexByte(frame.File, '/')+1:]
		line := fmt.Sprintf(" (at %s:%d)", fileName, frame.Line)
		switch ownerOf(frame) {
		case userCode:
			return line
		case componentCode:
			componentLine = cmp.Or(componentLine, line)
		case callerCode:
			return componentLine
		}
		if !more {
			return componentLine
		}
	}
}

// Recover stores a panic in err, as an error that says what panicked and in which line. It does
// nothing if there is no panic. It works only as a deferred call:
//
//	defer graph.Recover(&err, "the objective of method sml")
func Recover(err *error, what string) {
	r := recover()
	if r == nil {
		return
	}
	if cause, isError := r.(error); isError {
		*err = lineError{fmt.Errorf("%s: %w%s", what, cause, panicLine())}
		return
	}
	*err = lineError{fmt.Errorf("%s: %v%s", what, r, panicLine())}
}

// lineError is an error that names its line already.
type lineError struct{ error }

// Unwrap returns the error itself.
func (e lineError) Unwrap() error { return e.error }

// codeOwner says whose code a line is, and so who has to correct a mistake in it.
type codeOwner uint8

const (
	userCode      codeOwner = iota // a method, or a program that uses this module
	componentCode                  // a component of methods in this module, such as a loss or a layer
	callerCode                     // code of this module that calls objectives, networks and predictors
	machineryCode                  // code of this module, of Gorgonia or of Go that objectives call
)

// modulePath is the path of this module.
var modulePath = strings.TrimSuffix(reflect.TypeFor[Builder]().PkgPath(), "/graph")

// goLibrary is the folder of Go's own packages, "" if the program does not know it.
var goLibrary = func() string {
	f := runtime.FuncForPC(reflect.ValueOf(strings.ToUpper).Pointer())
	file, _ := f.FileLine(f.Entry())
	folder, _ := strings.CutSuffix(file, "strings/strings.go")
	return folder
}()

// goPackages are the packages of Go that objectives may call, for programs that do not know
// goLibrary.
var goPackages = []string{"runtime", "reflect", "internal", "sync", "slices", "sort", "strings", "math", "fmt", "errors"}

// gorgoniaPackages are the packages of Gorgonia and those that it calls.
var gorgoniaPackages = []string{"gorgonia.org/gorgonia", "gorgonia.org/tensor", "gorgonia.org/vecf32", "gorgonia.org/vecf64", "github.com/chewxy/hm", "gonum.org/v1/gonum"}

// ownerOf returns the owner of a frame's line, by its package, file and function. Libraries come
// first, then tests, which stand for a user's code although they lie in folders of this module, then
// this module's folders. All other code is the user's.
func ownerOf(frame runtime.Frame) codeOwner {
	path, name := splitFunction(frame.Function)
	inGoLibrary := goLibrary != "" && strings.HasPrefix(frame.File, goLibrary)
	switch {
	case frame.Function == "" || inGoLibrary || isWithin(path, goPackages...) || isWithin(path, gorgoniaPackages...):
		return machineryCode
	case strings.HasSuffix(frame.File, "_test.go"):
		return userCode
	case isWithin(path, modulePath+"/graph", modulePath+"/internal"):
		return machineryCode
	case isWithin(path, modulePath+"/models"):
		return ownerInModels(name)
	case isWithin(path, modulePath+"/trainers/optimizer"):
		return componentCode
	case isWithin(path, modulePath+"/trainers", modulePath+"/evaluation", modulePath+"/cmd", modulePath+"/bench"):
		return callerCode
	}
	return userCode
}

// isWithin reports whether path is one of the packages or lies in its folder.
func isWithin(path string, packages ...string) bool {
	for _, p := range packages {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// ownerInModels returns the owner of a function of package models, whose types call objectives or
// are called by them.
func ownerInModels(function string) codeOwner {
	receiver, _, _ := strings.Cut(function, ".")
	switch receiver {
	case "Spec", "Method", "Network":
		return callerCode
	case "(*checkedNetwork)", "(*Task)", "(*Frozen)", "partInputs", "Hyperparameters":
		return machineryCode
	}
	return componentCode
}

// splitFunction splits the full name of a function into the path of its package and its name there:
// "gorgonia.org/gorgonia" and "(*Node).Name".
func splitFunction(function string) (path, name string) {
	base := strings.LastIndexByte(function, '/') + 1 // the path before it may contain dots
	dot := strings.IndexByte(function[base:], '.')
	if dot < 0 {
		return function, ""
	}
	return function[:base+dot], function[base+dot+1:]
}
