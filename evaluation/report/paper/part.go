package paper

import (
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/study"
)

// part has the scores of a report on the paper's data sets, divided by the purpose of their trainings.
type part struct {
	studies      []report.Study
	seeds        []study.SeedScores // scores of each seed; nil unless the studies have several seeds
	main         source             // scores for neither of the purposes below
	beta         source             // scores of the study of β
	claims       source             // scores of the preset claims, which only serve to check claims
	datasets     []string           // data sets of main and beta, in the paper's order
	methods      []string           // labels of the methods of main
	betaMethods  []string           // labels of the methods of beta, from small to large β
	claimMethods []string           // labels of the methods of claims
	missing      string             // studies or data that a rule asked for in vain first; "" if there were none
}

// newPart returns a report's scores on the paper's data sets, or nil if no study has any of the
// paper's methods on them. It returns nil as well if a study trains by a preset's own recipes,
// since its scores on the data sets would stand beside the paper's.
func newPart(r *report.Report) *part {
	if slices.ContainsFunc(r.Studies, hasOwnRecipes) {
		return nil
	}
	p := &part{studies: r.Studies, seeds: r.Seeds}
	for _, s := range r.Studies {
		if s.Config.Preset == claimsPreset {
			p.claimMethods = append(p.claimMethods, report.DistinctNames(s.Cells, func(c study.PlannedCell) string { return c.Label })...)
		}
	}
	p = p.withScores(r.Scores)
	p.methods = p.main.methods()
	p.betaMethods = p.beta.methods()
	hasPaperMethod := slices.ContainsFunc(p.methods, func(label string) bool { return slices.Contains(Methods(), label) })
	if len(p.betaMethods) == 0 && !hasPaperMethod {
		return nil
	}
	p.datasets = report.DistinctNames(slices.Concat(p.main.scores, p.beta.scores), func(s measure.Score) string { return s.Dataset })
	return p
}

// withScores returns the part with the given scores on the paper's data sets: all scores, or the scores of one seed.
// p.claimMethods must be set.
func (p *part) withScores(scores []measure.Score) *part {
	other := *p
	other.main = source{report.FilterScores(scores, p.isMain), paperStudy}
	other.beta = source{report.FilterScores(scores, p.isBeta), betaStudy}
	other.claims = source{report.FilterScores(scores, p.isClaim), "the presets paper and claims"}
	return &other
}

// methods returns the labels of the methods with scores.
func (s source) methods() []string {
	return report.DistinctNames(s.scores, func(s measure.Score) string { return s.Method })
}

// hasOwnRecipes reports whether the study's preset has recipes in place of the paper's.
func hasOwnRecipes(s report.Study) bool {
	return slices.ContainsFunc(study.Presets(), func(p study.Preset) bool {
		return p.Name == s.Config.Preset && p.Recipe != nil
	})
}

// betaLabel is the start of the labels of the study of β.
const betaLabel = "sml beta="

// isOwn reports whether the paper has the score's data set and its kind of split.
func isOwn(s measure.Score) bool {
	return slices.Contains(datasets, s.Dataset) && report.SplitIndex(s.Split) >= 0
}

// isClaim reports whether the paper has the score's data set and the preset claims has its label.
// These trainings only serve to check claims.
func (p *part) isClaim(s measure.Score) bool {
	return isOwn(s) && slices.Contains(p.claimMethods, s.Method)
}

// isBeta reports whether a score belongs to the study of β.
func (p *part) isBeta(s measure.Score) bool {
	return isOwn(s) && strings.HasPrefix(s.Method, betaLabel) && !p.isClaim(s)
}

// isMain reports whether the paper has the score's data set, and neither isClaim nor isBeta holds.
func (p *part) isMain(s measure.Score) bool { return isOwn(s) && !p.isBeta(s) && !p.isClaim(s) }

// methodTitle returns the title of a method's label in tables and figures, such as "β = 0.5".
func methodTitle(label string) string {
	beta, isBeta := strings.CutPrefix(label, betaLabel)
	if isBeta {
		return "β = " + beta
	}
	return study.MethodTitle(label)
}

// fillSlots chooses a data set for each slot of a figure that shows predictions of single rows. A slot lists
// the paper's data set, followed by alternatives. fillSlots takes the first data set of the slot that is available and not
// chosen yet, or else the largest available data set that no slot lists, or else leaves the slot out. The
// note is "" or a sentence that says which data sets replace the paper's.
func (p *part) fillSlots(isAvailable func(dataset string) bool, slots ...[]string) (chosen []string, note string) {
	listed := slices.Concat(slots...)
	var spare []string // available data sets that no slot lists, the largest first: p.datasets ascend in size
	for _, name := range slices.Backward(p.datasets) {
		if isAvailable(name) && !slices.Contains(listed, name) {
			spare = append(spare, name)
		}
	}
	var replacements []string // texts for the note
	for _, slot := range slots {
		i := slices.IndexFunc(slot, func(name string) bool { return isAvailable(name) && !slices.Contains(chosen, name) })
		var name string
		switch {
		case i >= 0:
			name = slot[i]
		case len(spare) > 0:
			name = spare[0]
			spare = spare[1:]
		default:
			continue
		}
		chosen = append(chosen, name)
		if name != slot[0] {
			replacements = append(replacements, name+" stands in for "+slot[0])
		}
	}
	if len(replacements) == 0 {
		return chosen, ""
	}
	return chosen, " Here " + strings.Join(replacements, ", ") + "."
}

// cellWithRows returns the first finished cell of a data set and a method's label that has saved the
// predictions of single rows, and the cell's study. cell is nil if there is none.
func (p *part) cellWithRows(dataset, label string) (in study.Directory, cell *study.PlannedCell) {
	for _, s := range p.studies {
		for i, c := range s.Cells {
			if c.Table.Name != dataset || c.Label != label || !c.KeepPictures {
				continue
			}
			_, state, _ := study.Load(s.Dir, s.Plan, c) // a result that cannot be read is not done
			if state == study.Done {
				return study.Directory{Dir: s.Dir, Plan: s.Plan}, &s.Cells[i]
			}
		}
	}
	return study.Directory{}, nil
}
