package cmd

import (
	"go/parser"
	"go/token"
	"regexp"
	"testing"

	"sml/data/split"
	"sml/evaluation/calibrate"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers/optimizer"
)

// Whoever has only go doc finds the names of methods, splits, optimizers and calibrations in the comments
// of their packages.
func TestPackageCommentsListNames(t *testing.T) {
	var methods []string
	for _, m := range models.Methods() {
		methods = append(methods, m.Name)
	}
	for file, names := range map[string][]string{
		"../models/methods/methods.go":       methods,
		"../data/split/kind.go":              split.Names(),
		"../trainers/optimizer/optimizer.go": optimizer.Names(),
		"../evaluation/calibrate/kind.go":    calibrate.Names(),
	} {
		parsed := expect.Must(parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly))
		comment := parsed.Doc.Text()
		for _, name := range names {
			if !regexp.MustCompile(`(^|[\s,:;])` + regexp.QuoteMeta(name) + `([\s,:;.]|$)`).MatchString(comment) {
				t.Errorf("%s: the package comment does not name %q", file, name)
			}
		}
	}
}
