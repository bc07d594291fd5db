package experiment

import (
	"cmp"
	"fmt"

	"sml/data"
	"sml/data/preparation"
	"sml/models"
)

// WithAutoTargets returns the source with Transform and Support set to preparation.Auto, unless they are
// set or the table is a registered data set, whose targets are used as they are.
func (s Source) WithAutoTargets() Source {
	if s.Prepared() {
		s.Transform = cmp.Or(s.Transform, preparation.Auto)
		s.Support = cmp.Or(s.Support, preparation.Auto)
	}
	return s
}

// dropNone replaces None by "" for registered data sets, so that equal tables have equal sources.
func (s *Source) dropNone() {
	if s.Prepared() {
		return
	}
	if s.Transform == preparation.None {
		s.Transform = ""
	}
	if s.Support == preparation.None {
		s.Support = ""
	}
}

// changesTargets reports whether the source asks for a transform or bounds of the targets.
func (s Source) changesTargets() bool {
	chooses := func(name string) bool { return name != "" && name != preparation.None }
	return chooses(s.Transform) || chooses(s.Support)
}

// resolveTargets sets the defaults of Transform and Support: preparation.Auto under the sound protocol if
// the method predicts any real numbers, otherwise "", for none. It returns an error if the targets are
// classes and have a transform or bounds.
func (s *Settings) resolveTargets() error {
	m, err := models.Lookup(s.Spec.Method)
	if err != nil {
		return err
	}
	if s.Training.Protocol == data.Sound && m.Support == models.Reals && !m.PredictsClasses() {
		s.Table = s.Table.WithAutoTargets()
	}
	if s.Spec.Architecture.Classes > 0 && s.Table.changesTargets() {
		return fmt.Errorf("the targets of method %s are classes, which have no transform and no support", s.Spec.Method)
	}
	return nil
}
