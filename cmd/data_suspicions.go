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

// suspicion is a suspicion with what the user can do about it.
type suspicion struct {
	summary.Suspicion
	Advice string `json:"advice"`
}

// adviseOn returns the suspicions that the preparation does not settle, with advice. prepared is nil
// if train uses the table unchanged. The result is never nil, so that JSON has an empty list.
func adviseOn(suspicions []summary.Suspicion, targets []string, prepared *preparation.Preparation) []suspicion {
	advised := []suspicion{}
	for _, s := range suspicions {
		if !isSettled(s, targets, prepared) {
			advised = append(advised, suspicion{Suspicion: s, Advice: advice(s)})
		}
	}
	return advised
}

// isSettled reports whether the preparation makes a suspicion pointless: it transforms a skewed
// target, or leaves the suspicious column out. A column of times or groups remains suspicious when it is
// left out, since the split of the rows should follow it. targets has the names of the targets. prepared is
// nil if train uses the table unchanged, which settles nothing.
func isSettled(s summary.Suspicion, targets []string, prepared *preparation.Preparation) bool {
	if prepared == nil {
		return false
	}
	switch s.Kind {
	case summary.Skewed:
		target := slices.Index(targets, s.Column)
		return prepared.Targets != nil && prepared.Targets[target].Name != ""
	case summary.Groups, summary.Time:
		return false
	}
	return slices.ContainsFunc(prepared.Columns, func(column preparation.Column) bool {
		isLeftOut := column.Dropped != "" // the reason, such as "constant"
		return column.Name == s.Column && isLeftOut
	})
}

// advice suggests to the user how to deal with a suspicion. It returns "" for a kind without advice.
func advice(s summary.Suspicion) string {
	name := terminal.ShellWord(s.Column)
	switch s.Kind {
	case summary.LikeTarget:
		return "it gives the target away unless it is known when you predict: --drop " + name
	case summary.Combination:
		return "together they give the target away unless they are known when you predict:" + dropFlags(s.Drop)
	case summary.Strong:
		return "no leak if it is known when you predict"
	case summary.Names:
		return "--categorical " + name
	case summary.Duplicate, summary.Constant:
		return "it adds nothing that is known: --drop " + name
	case summary.Counter:
		return "if it is no more than the number of a row: --drop " + name
	case summary.Identifier:
		return "rows to predict have other numbers: --drop " + name
	case summary.Time:
		return "to predict what comes later, test on what comes later: --split time --time " + name
	case summary.Groups:
		return "to predict others than these, keep each on one side: --split group --group " + name
	case summary.Neighbours:
		return "if rows stand in the order of time or in groups, random folds flatter: --split time, --split group"
	case summary.Copies:
		return "copies on both sides of a split flatter; take out what is no measurement of its own"
	case summary.FewValues:
		return "σ and intervals speak of a continuous target; if the values are classes: --method classes"
	case summary.Skewed:
		return "--transform " + s.Transform
	case summary.Inflated:
		return spikeAdvice
	case summary.Far:
		return "look whether it is a mistake; if not, its logarithm may be the better input"
	case summary.Code:
		return "write an empty field in its place if it stands for a missing value"
	case summary.Future:
		return "if the dates are no plans, correct them or write empty fields"
	case summary.FarDate:
		return "if it stands for a missing date or is a mistake, write an empty field in its place"
	}
	return ""
}

// dropFlags returns the flags that leave out columns, each after a blank.
func dropFlags(columns []string) string {
	flags := ""
	for _, name := range columns {
		flags += " --drop " + terminal.ShellWord(name)
	}
	return flags
}

// writeSuspicions writes all suspicions, or else the first ones of each kind, which are the strongest,
// and how many of the kind are left out.
func (d describeResult) writeSuspicions(w io.Writer, all bool) error {
	const maxPerKind = 6                // suspicions of a kind, so that none fills the screen
	count := make(map[summary.Kind]int) // number of suspicions so far
	for _, s := range d.Suspicions {
		count[s.Kind]++
		if !all && count[s.Kind] > maxPerKind {
			continue
		}
		subject := "" // of a suspicion about rows
		if names := append(slices.Clone(s.Columns), s.Column); names[0] != "" {
			subject = strings.Trim(strings.Join(names, ", "), ", ") + ": "
		}
		if _, err := fmt.Fprintf(w, "! %s%s; %s\n", subject, s.Says, s.Advice); err != nil {
			return err
		}
	}
	for _, kind := range distinctKinds(d.Suspicions) {
		if more := count[kind] - maxPerKind; more > 0 && !all {
			fmt.Fprintf(w, "! and %s (%s), which --all shows\n", terminal.Count(more, "more column"), kind)
		}
	}
	return nil
}

// distinctKinds returns the kinds of suspicions, each once, in the order of the list.
func distinctKinds(suspicions []suspicion) (kinds []summary.Kind) {
	for _, s := range suspicions {
		if !slices.Contains(kinds, s.Kind) {
			kinds = append(kinds, s.Kind)
		}
	}
	return kinds
}
