// Package registry keeps values that users choose by name, such as methods, networks and data sets.
// Start with New, which returns a registry for one kind of value, and with Registry.Lookup. The
// package does not know the values: each package that owns a kind of value has a registry of its own.
package registry

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Registry holds values of one kind in the order of their registration; listings show them in this
// order. Several goroutines may use a Registry at the same time.
type Registry[T any] struct {
	kind   string         // what errors call a value, such as "method"
	name   func(T) string // returns the name of a value
	advice string         // end of the error of an empty registry; may be ""

	lock      sync.RWMutex // protects the fields below
	values    []T
	positions map[string]int // indices in values, by name
}

// New returns an empty registry. kind is what errors call a value, such as "method", and name returns
// the name of a value. advice tells users of an empty registry what to do, such as which package to
// import; it may be "".
func New[T any](kind string, name func(T) string, advice string) *Registry[T] {
	return &Registry[T]{kind: kind, name: name, advice: advice, positions: make(map[string]int)}
}

// Add adds a value. It panics if the name is already registered, is empty, or contains a blank, a
// control character or a slash: these are mistakes in the program.
func (r *Registry[T]) Add(v T) {
	name := r.name(v)
	if name == "" || strings.ContainsFunc(name, isForbidden) {
		panic(fmt.Sprintf("a %s is registered as %q; want a name without blanks and slashes", r.kind, name))
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if _, ok := r.positions[name]; ok {
		panic(fmt.Sprintf("%s %q is registered twice", r.kind, name))
	}
	r.positions[name] = len(r.values)
	r.values = append(r.values, v)
}

// isForbidden reports whether a name may not contain the character: names are parts of flags and
// files.
func isForbidden(c rune) bool {
	const del = 0x7f // the control character after the last printable one in ASCII
	return c <= ' ' || c == del || c == '/' || c == '\\'
}

// All returns all values in the order of their registration.
func (r *Registry[T]) All() []T {
	r.lock.RLock()
	defer r.lock.RUnlock()
	return slices.Clone(r.values)
}

// Names returns the names of all values in the order of their registration.
func (r *Registry[T]) Names() []string {
	var names []string
	for _, v := range r.All() {
		names = append(names, r.name(v))
	}
	return names
}

// Lookup returns the value of the given name. If there is none, it returns an error that lists all
// names.
func (r *Registry[T]) Lookup(name string) (T, error) {
	v, ok := r.find(name)
	if ok {
		return v, nil
	}
	var zero T
	names := r.Names()
	if len(names) > 0 {
		return zero, fmt.Errorf("unknown %s %q; want one of %s", r.kind, name, strings.Join(names, ", "))
	}
	if r.advice != "" {
		return zero, fmt.Errorf("unknown %s %q: none is registered; %s", r.kind, name, r.advice)
	}
	return zero, fmt.Errorf("unknown %s %q: none is registered", r.kind, name)
}

// find returns the value of the given name. ok is false if there is none.
func (r *Registry[T]) find(name string) (v T, ok bool) {
	r.lock.RLock()
	defer r.lock.RUnlock()
	position, ok := r.positions[name]
	if !ok {
		return v, false
	}
	return r.values[position], true
}
