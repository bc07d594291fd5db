package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sml/cmd/internal/summary"
	"sml/cmd/internal/terminal"
	"sml/data/preparation"
)

// isSettled reports whether the preparation makes a suspicion pointless: it transforms a skewed
// target, or leaves the suspicious column out. A column of times or groups remains suspicious when it is
// left out, since the split of the rows should follow it. targets has the names of the targets. prepared is
// nil if train uses the table unchanged, which settles nothing.
func isSettled(s summary.Suspicion, targets []string, prepared *preparation.Preparation) bool {
	if prepared == nil || len(s.Columns) != 1 {
		return false
	}
	switch s.Kind {
	case summary.Skewed:
		target := slices.Index(targets, s.Columns[0])
		return prepared.Targets != nil && prepared.Targets[target].Name != ""
	case summary.Groups, summary.Time:
		return false
	}
	return slices.ContainsFunc(prepared.Columns, func(column preparation.Column) bool {
		isLeftOut := column.Dropped != "" // the reason, such as "constant"
		return column.Name == s.Columns[0] && isLeftOut
	})
}

// writeSuspicions writes all suspicions, or else the first ones of each kind, which are the strongest,
// and how many of the kind are left out.
func (d describeResult) writeSuspicions(w io.Writer, all bool) {
	const maxPerKind = 6                // suspicions of a kind, so that none fills the screen
	count := make(map[summary.Kind]int) // number of suspicions so far
	for _, s := range d.Suspicions {
		count[s.Kind]++
		if !all && count[s.Kind] > maxPerKind {
			continue
		}
		fmt.Fprintf(w, "! %s\n", describeSuspicion(s))
	}
	for _, kind := range distinctKinds(d.Suspicions) {
		if more := count[kind] - maxPerKind; more > 0 && !all {
			fmt.Fprintf(w, "! and %s (%s), which --all shows\n", terminal.Count(more, "more column"), kind)
		}
	}
}

// describeSuspicion returns a line with the columns of a suspicion, what was found, and the advice with its flags.
func describeSuspicion(s summary.Suspicion) string {
	line := s.Says + "; " + s.Advice
	if s.Columns != nil {
		line = strings.Join(s.Columns, ", ") + ": " + line
	}
	if s.Flags == nil {
		return line
	}
	line += ":"
	for _, flag := range s.Flags {
		line += " --" + flag.Name + " " + terminal.ShellWord(flag.Value)
	}
	return line
}

// distinctKinds returns the kinds of suspicions, each once, in the order of the list.
func distinctKinds(suspicions []summary.Suspicion) (kinds []summary.Kind) {
	for _, s := range suspicions {
		kinds = appendNew(kinds, s.Kind)
	}
	return kinds
}
