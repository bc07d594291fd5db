package paper

import (
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/study"
)

// part has a report's scores on the paper's data sets.
type part struct {
	studies     []report.Study
	main        []measure.Score // all scores except beta and claims
	beta        []measure.Score // scores of the study of β
	claims      []measure.Score // scores of the preset claims
	datasets    []string        // data sets of main and beta, in the paper's order
	methods     []string        // methods of main
	claimLabels []string        // labels of the preset claims
}

// newPart returns a report's scores on the paper's data sets, or nil if no study has any of the
// paper's methods on them.
func newPart(r *report.Report) *part {
	own := compare.Filter(r.Scores, isOwn)
	p := &part{studies: r.Studies}
	for _, s := range r.Studies {
		if s.Config.Preset == claimsPreset {
			p.claimLabels = append(p.claimLabels, compare.DistinctNames(s.Cells, func(c study.PlannedCell) string { return c.Label })...)
		}
	}
	p.main, p.beta, p.claims = compare.Filter(own, p.isMain), compare.Filter(own, p.isBeta), compare.Filter(own, p.isClaim)
	if len(p.beta) == 0 && !slices.ContainsFunc(p.main, func(s measure.Score) bool { return slices.Contains(Methods(), s.Method) }) {
		return nil
	}
	p.datasets = compare.DistinctNames(slices.Concat(p.main, p.beta), func(s measure.Score) string { return s.Dataset })
	p.methods = compare.DistinctNames(p.main, func(s measure.Score) string { return s.Method })
	return p
}

const betaLabel = "sml beta="

// isOwn reports whether the paper has the score's data set.
func isOwn(s measure.Score) bool { return slices.Contains(datasets, s.Dataset) }

// isClaim reports whether the paper has the score's data set and the preset claims has its label.
// These trainings only serve to check claims.
func (p *part) isClaim(s measure.Score) bool {
	return isOwn(s) && slices.Contains(p.claimLabels, s.Method)
}

// isBeta reports whether a score belongs to the study of β.
func (p *part) isBeta(s measure.Score) bool {
	return isOwn(s) && strings.HasPrefix(s.Method, betaLabel) && !p.isClaim(s)
}

// isMain reports whether the paper has the score's data set, and neither isClaim nor isBeta holds.
func (p *part) isMain(s measure.Score) bool { return isOwn(s) && !p.isBeta(s) && !p.isClaim(s) }

// methodTitle returns the title of a label in tables and figures.
func methodTitle(label string) string {
	if beta, ok := strings.CutPrefix(label, betaLabel); ok {
		return "β = " + beta
	}
	return study.MethodTitle(label)
}

// fillSlots chooses a data set for each slot of a figure of single rows. A slot lists the paper's
// data set, followed by alternatives. fillSlots takes the first available of these, or else the
// largest available data set that no slot lists, or leaves the slot out. The note says which data
// sets replace the paper's.
func (p *part) fillSlots(isAvailable func(dataset string) bool, slots ...[]string) (shown []string, note string) {
	own := slices.Concat(slots...)
	var spare, notes []string
	for _, name := range slices.Backward(p.datasets) {
		if isAvailable(name) && !slices.Contains(own, name) {
			spare = append(spare, name)
		}
	}
	for _, slot := range slots {
		i := slices.IndexFunc(slot, func(name string) bool { return isAvailable(name) && !slices.Contains(shown, name) })
		var name string
		switch {
		case i >= 0:
			name = slot[i]
		case len(spare) > 0:
			name, spare = spare[0], spare[1:]
		default:
			continue
		}
		if name != slot[0] {
			notes = append(notes, name+" stands in for "+slot[0])
		}
		shown = append(shown, name)
	}
	if len(notes) == 0 {
		return shown, ""
	}
	return shown, " Here " + strings.Join(notes, ", ") + "."
}

// cellWithRows returns the first finished cell of a data set and a label with kept predictions of
// single rows, and its study. cell is nil if there is none.
func (p *part) cellWithRows(dataset, label string) (in study.Directory, cell *study.PlannedCell) {
	for _, s := range p.studies {
		for i, c := range s.Cells {
			if c.Table.Name != dataset || c.Label != label || !c.KeepPictures {
				continue
			}
			if _, state, _ := study.Load(s.Dir, s.Plan, c); state == study.Done {
				return study.Directory{Dir: s.Dir, Plan: s.Plan}, &s.Cells[i]
			}
		}
	}
	return study.Directory{}, nil
}
