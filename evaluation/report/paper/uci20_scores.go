package paper

import _ "embed"

// publication is a method in a table of printed scores.
type publication struct {
	method string // method and year, as in the table
	spread string // what follows the ±, for a note
}

// publications are the methods in the order of their publication.
var publications = []publication{
	{"PBP, 2015", "the standard error"},
	{"MC dropout, 2018", "the standard error, but for energy's RMSE the standard deviation"},
	{"deep ensemble, 2017", "the standard deviation"},
	{"NGBoost, 2020", "the standard deviation"},
	{"evidential, 2020", "as printed, of an unknown kind"},
}

var (
	//go:embed uci20.csv
	uciTable string

	// uciPublished has the scores of the publications by method, data set and measure, in the unit of the target, with a
	// spread where one is printed. NLL is the negative log-likelihood of a row.
	//
	// Sources: Lakshminarayanan et al. (2017), Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles,
	// table 1, for PBP (Hernández-Lobato and Adams, 2015) and deep ensembles; the readme of DropoutUncertaintyExps (Gal and
	// Ghahramani, version of 2018) for MC dropout; Matsubara et al. (2024), Wasserstein Gradient Boosting, for NGBoost
	// (Duan et al., 2020) and evidential regression (Amini et al., 2020).
	uciPublished = readPrinted(uciTable)
)

// otherTarget has a note for each data set on which the publications and this program predict different columns.
var otherTarget = map[string]string{
	"energy": "the publications predict the heating load of energy, and this program the cooling load, which is harder",
	"naval":  "the publications predict the decay of naval's compressor, and this program the decay of its turbine",
}

// score returns the printed score by a measure on a data set, or "" if none is printed.
func (p publication) score(dataset, measure string) string {
	return uciPublished[printedCell{p.method, dataset, measure}]
}
