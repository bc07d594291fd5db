package models

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
)

// sourceLine returns the line in which a function begins, such as " (at my_method.go:14)", for errors
// about the function's result. It returns "" if the line is not known.
func sourceLine(function any) string {
	f := runtime.FuncForPC(reflect.ValueOf(function).Pointer())
	if f == nil {
		return ""
	}
	file, line := f.FileLine(f.Entry())
	return fmt.Sprintf(" (at %s:%d)", filepath.Base(file), line)
}
