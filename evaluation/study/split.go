package study

import "sml/data/split"

// splitKind returns the kind of split of that name. It returns the zero value for an unknown
// name, which checked configurations and plans do not have.
func splitKind(name string) split.Kind {
	kind, _ := split.Lookup(name)
	return kind
}
