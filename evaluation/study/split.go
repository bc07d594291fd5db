package study

import "sml/data"

// splitKind returns the kind of split of that name. It returns the zero value for an unknown
// name, which checked configurations and plans do not have.
func splitKind(name string) data.SplitKind {
	kind, _ := data.LookupSplit(name)
	return kind
}
