// Package registry keeps what is known by name: methods, networks, measures, data
// sets, splits.
package registry

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Registry holds values of one kind in the order in which they were added, which
// is the order of every listing. Several goroutines may use one.
type Registry[T any] struct {
	kind string
	name func(T) string
	add  string

	lock sync.RWMutex
	list []T
}

// New returns an empty registry. kind is what its errors call a value, such as
// method; add is what they advise where nothing is registered, such as the package
// to import, and may be empty.
func New[T any](kind string, name func(T) string, add string) *Registry[T] {
	return &Registry[T]{kind: kind, name: name, add: add}
}

// Add adds a value. It panics if the name is empty, holds a blank, a control
// character or a slash, or is taken: a mistake in the program.
func (r *Registry[T]) Add(v T) {
	name := r.name(v)
	if name == "" || strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '/' || c == '\\' }) {
		panic(fmt.Sprintf("a %s is registered as %q: want a name without blanks and slashes", r.kind, name))
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if slices.ContainsFunc(r.list, func(w T) bool { return r.name(w) == name }) {
		panic(fmt.Sprintf("%s %q is registered twice", r.kind, name))
	}
	r.list = append(r.list, v)
}

// All returns every value.
func (r *Registry[T]) All() []T {
	r.lock.RLock()
	defer r.lock.RUnlock()
	return slices.Clone(r.list)
}

// Names returns every name.
func (r *Registry[T]) Names() []string {
	var names []string
	for _, v := range r.All() {
		names = append(names, r.name(v))
	}
	return names
}

// Lookup returns the value of that name. The error lists the names that there are.
func (r *Registry[T]) Lookup(name string) (T, error) {
	r.lock.RLock()
	i := slices.IndexFunc(r.list, func(v T) bool { return r.name(v) == name })
	if i >= 0 {
		defer r.lock.RUnlock()
		return r.list[i], nil
	}
	r.lock.RUnlock()
	var none T
	if known := r.Names(); len(known) > 0 {
		return none, fmt.Errorf("unknown %s %q: there is %s", r.kind, name, strings.Join(known, ", "))
	}
	if r.add != "" {
		return none, fmt.Errorf("unknown %s %q: none is registered; %s", r.kind, name, r.add)
	}
	return none, fmt.Errorf("unknown %s %q: none is registered", r.kind, name)
}
