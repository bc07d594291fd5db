package models

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
)

// declaredAt is the line where a function begins, " (at my_method.go:14)", for
// errors about what it returned.
func declaredAt(f any) string {
	at := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if at == nil {
		return ""
	}
	file, line := at.FileLine(at.Entry())
	return fmt.Sprintf(" (at %s:%d)", filepath.Base(file), line)
}
