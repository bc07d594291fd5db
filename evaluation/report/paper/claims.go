package paper

import (
	"fmt"

	"sml/evaluation/report"
)

// verdict says whether a claim is true, as reports show it.
type verdict string

const (
	unknown     verdict = "undecided" // the studies lack the numbers
	holds       verdict = "holds"
	doesNotHold verdict = "does not hold"
)

// finding is a claim with its verdict.
type finding struct {
	claim
	verdict verdict
	reason  string // numbers from which the verdict follows, or studies and data that are needed if it is unknown
	holding int    // number of seeds by whose scores the claim holds
	checked int    // number of seeds by whose scores the claim could be checked
}

// checkClaims checks all claims by the report's scores, which are means over seeds, and the claims about scores
// also by the scores of each seed. The findings count the seeds with each verdict.
func checkClaims(r *report.Report, p *part) []finding {
	var seeds []*part
	for _, seed := range r.Seeds {
		seeds = append(seeds, p.withScores(seed.Scores))
	}
	var findings []finding
	for _, c := range claims {
		f := finding{claim: c}
		f.verdict, f.reason = p.check(c.rule)
		if c.isPerSeed {
			f.checkSeeds(seeds)
		}
		findings = append(findings, f)
	}
	return findings
}

// checkSeeds checks the claim by the scores of each seed, and counts the verdicts.
func (f *finding) checkSeeds(seeds []*part) {
	for _, seed := range seeds {
		v, _ := seed.check(f.rule)
		if v != unknown {
			f.checked++
		}
		if v == holds {
			f.holding++
		}
	}
}

// String returns the verdict with what the check lacks, or with the number of seeds for which the claim
// holds, such as "holds (in 4 of 5 seeds)".
func (f finding) String() string {
	switch {
	case f.verdict == unknown:
		return string(f.verdict) + ": needs " + f.reason
	case f.checked > 1:
		return fmt.Sprintf("%v (in %d of %d seeds)", f.verdict, f.holding, f.checked)
	}
	return string(f.verdict)
}

// claimsNote explains the table and the list of claims.
const claimsNote = "With several seeds, the numbers are means over the seeds; in brackets, the number of seeds by whose own scores the claim holds. " +
	"Scores are close, level or comparable if they differ by at most 0.1 or a fifth."

// claimsTable returns a table of the claims with their numbers and verdicts.
func claimsTable(findings []finding) report.Table {
	t := report.Table{
		Caption: "Claims of the paper's text, with the numbers that decide them",
		Words:   4,
		Header:  []string{"claim", "section", "numbers", "verdict"},
		Notes:   []string{claimsNote},
	}
	for _, f := range findings {
		numbers := f.reason
		if f.verdict == unknown {
			numbers = ""
		}
		t.Body = append(t.Body, report.TextCells(f.text, f.section, numbers, f.String()))
	}
	return t
}

// claimsSection returns the claims as a list, which suits phones better than a table.
func claimsSection(findings []finding) report.Section {
	counts := make(map[verdict]int) // number of findings
	s := report.Section{ID: "claims", Title: "Claims of the paper's text"}
	for _, f := range findings {
		counts[f.verdict]++
		name := f.String()
		reason := report.LabelledText{Label: "Numbers", Text: f.reason}
		if f.verdict == unknown {
			name = string(f.verdict)
			reason.Label = "Needs"
		}
		quotation := report.LabelledText{Label: "Paper, section " + f.section, Text: f.text}
		s.Entries = append(s.Entries, report.Entry{Name: name, Texts: []report.LabelledText{quotation, reason}})
	}
	counted := fmt.Sprintf("Of %d claims that numbers can decide, %d hold, %d do not hold, and %d cannot be decided by these studies.",
		len(findings), counts[holds], counts[doesNotHold], counts[unknown])
	s.Text = []string{counted, claimsNote}
	return s
}
