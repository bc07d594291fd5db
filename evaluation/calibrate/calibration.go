package calibrate

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sml/data/read"
	"sml/evaluation"
	"sml/models"
	"sml/models/distribution"
)

// Options choose a calibration. The zero value is ready to use.
type Options struct {
	Kind        string  `json:"kind,omitempty"`     // name of a Kind; default the first of Kinds
	Coverage    float64 `json:"coverage,omitempty"` // largest coverage of intervals that must be calibrated; default 0.9
	GroupColumn string  `json:"by,omitempty"`       // column whose values form groups that are calibrated separately; "" for one group

	// MeanGroups is the number of groups into which rows are divided by their predicted mean, to be calibrated
	// separately; 0 for one group. With GroupColumn, the rows of each value are divided by themselves.
	MeanGroups int `json:"mean_groups,omitempty"`
}

// DefaultCoverage is the coverage of an interval where none is chosen.
const DefaultCoverage = 0.9

// Resolve returns the options with their defaults filled in. It returns an error if the coverage
// is not between 0 and 1, the number of groups is not valid, or the kind is unknown.
func (o Options) Resolve() (Options, error) {
	o.Kind = cmp.Or(o.Kind, Kinds()[0].Name)
	o.Coverage = cmp.Or(o.Coverage, DefaultCoverage)
	if !(o.Coverage > 0 && o.Coverage < 1) {
		return o, fmt.Errorf("the coverage is %v; want more than 0 and less than 1", o.Coverage)
	}
	if err := checkMeanGroups(o.MeanGroups); err != nil {
		return o, err
	}
	_, err := Lookup(o.Kind)
	return o, err
}

// Covering returns the resolved options with a coverage of at least the widest interval between a quantile level and its
// opposite: a calibration of quantiles moves all of them.
func (o Options) Covering(levels []float64) Options {
	for _, level := range levels {
		o.Coverage = max(o.Coverage, math.Abs(float64(2*level)-1))
	}
	return o
}

// Calibration is a fitted calibration. A model stores it as JSON.
type Calibration struct {
	Options
	Rows            int       `json:"rows"`             // number of rows that it was fitted to
	TargetsChecksum string    `json:"of,omitempty"`     // checksum of the targets of these rows
	Levels          []float64 `json:"levels,omitempty"` // quantile levels; nil if the method does not predict quantiles

	// Groups has the group of all rows first, for values without a group of their own. Then come the
	// groups of the values of Options.GroupColumn, ascending.
	Groups []group `json:"groups"`

	Stds []OrderStatistics `json:"stds,omitempty"` // calibrated standard deviations of the rows, by target; nil for classes
}

// group has the fits to the rows with one value of Options.GroupColumn, or to all rows.
type group struct {
	Value   string              `json:"value,omitempty"` // value of Options.GroupColumn; "" for all rows
	Rows    int                 `json:"rows"`            // number of rows with the target that fewest of them have
	Targets []targetCalibration `json:"targets"`         // one for each target
}

// Fit returns a calibration that is fitted to the rows. It returns an error that wraps ErrTooFew if
// there are too few rows for the coverage, and an error if the kind cannot calibrate such
// predictions.
func Fit(r Rows, o Options) (*Calibration, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, err
	}
	kind, _ := Lookup(o.Kind) // Resolve has found it
	if err := r.check(kind, o); err != nil {
		return nil, err
	}
	r, err = r.weighted()
	if err != nil {
		return nil, err
	}
	r.Groups = read.CategoryNames(r.Groups)
	p := r.Predictions
	o = o.Covering(p.Family.Levels)
	c := &Calibration{
		Options:         o,
		Rows:            len(p.Values) / p.Targets,
		TargetsChecksum: checksum(r.Y),
		Levels:          p.Family.Levels,
	}
	all := r.all()
	if err := r.checkCounts(o, all); err != nil {
		return nil, err
	}
	c.fitGroups(kind, r, all)
	if p.Family.Classes > 0 {
		return c, nil
	}
	calibrated := c.Apply(p, r.Groups)
	for target := range p.Targets {
		_, std := calibrated.Column(target)
		c.Stds = append(c.Stds, newOrderStatistics(std, r.MeanWeights()))
	}
	return c, nil
}

// check returns an error if the kind cannot calibrate the predictions of these rows.
func (r Rows) check(kind Kind, o Options) error {
	p := r.Predictions
	if err := o.CheckTargets(p.Family.Classes > 0); err != nil {
		return err
	}
	switch {
	case len(p.Values) == 0 || len(r.Y) != len(p.Values):
		return fmt.Errorf("there are %d targets and %d predictions; want at least one, and as many targets as predictions", len(r.Y), len(p.Values))
	case r.Units != nil && len(r.Units) != p.Targets:
		return fmt.Errorf("there are %d units of targets; want one for each of %d targets, or none", len(r.Units), p.Targets)
	case p.Family.Classes == 0 && !p.HasStd():
		return ErrNoStd
	case p.Family.Levels != nil && !kind.forQuantiles:
		names := namesOf(func(k Kind) bool { return k.forQuantiles })
		return fmt.Errorf("calibration %s needs standard deviations, and the method predicts quantiles; want %s", kind.Name, strings.Join(names, ", "))
	case (o.GroupColumn == "") != (r.Groups == nil):
		return fmt.Errorf("calibration by column %q needs the column's value in each row, and no values if no column is given", o.GroupColumn)
	}
	return nil
}

// fitGroups fits the group of all rows, and then the group of each value of the column Options.GroupColumn.
func (c *Calibration) fitGroups(kind Kind, r Rows, all []int) {
	c.fitGroup(kind, r, "", all)
	rowsOfValue := make(map[string][]int)
	for row, value := range r.Groups {
		rowsOfValue[value] = append(rowsOfValue[value], row)
	}
	for _, value := range slices.Sorted(maps.Keys(rowsOfValue)) {
		c.fitGroup(kind, r, value, rowsOfValue[value])
	}
}

// DefaultKind returns the name of the default kind for numbers, or for classes.
func DefaultKind(classes bool) string {
	if classes {
		return temperature.Name
	}
	return Kinds()[0].Name
}

// CheckTargets returns an error if the kind is unknown, or if the options cannot calibrate classes (if
// classes is true) or numbers.
func (o Options) CheckTargets(classes bool) error {
	kind, err := Lookup(o.Kind)
	switch {
	case err != nil:
		return err
	case classes && !kind.IsForClasses():
		return fmt.Errorf("calibration %s is for numbers, and the method predicts classes; want %s", o.Kind, strings.Join(namesOf(Kind.IsForClasses), ", "))
	case !classes && kind.IsForClasses():
		return fmt.Errorf("calibration %s is for classes, and the method predicts numbers; want %s", o.Kind, DefaultKind(false))
	case classes && o.MeanGroups > 0:
		return errors.New("the method predicts classes, which have no mean to group rows by")
	}
	return nil
}

// ErrNoStd is the error for predictions of numbers without a standard deviation.
var ErrNoStd = errors.New("the method predicts no standard deviation, so there is nothing to calibrate")

// ErrTooFew is wrapped by errors about too few rows for a coverage.
var ErrTooFew = errors.New("want more rows, or a smaller coverage")

// maxListedValues is the largest number of values of a column that an error lists.
const maxListedValues = 5

// CheckRows returns an error that wraps ErrTooFew if there are too few rows for a calibration with all its
// groups by the predicted mean, or too few rows with one value of Options.GroupColumn. groups has the value of
// this column in each row; it is nil if there is no such column.
func CheckRows(o Options, rows int, groups []string) error {
	o, err := o.Resolve()
	if err != nil {
		return err
	}
	kind, _ := Lookup(o.Kind) // Resolve has found it
	percent := roundPercent(o.Coverage)
	minRows := kind.Rows(o.Coverage)
	inMeanGroups := "" // how the rows of a group are divided, for errors
	if o.MeanGroups > 0 {
		inMeanGroups = fmt.Sprintf(" (%d in each of %d groups by the predicted mean)", minRows, o.MeanGroups)
		minRows *= o.MeanGroups
	}
	if rows < minRows {
		return fmt.Errorf("intervals of %v%% need %d calibration rows%s, and there are %d: %w", percent, minRows, inMeanGroups, rows, ErrTooFew)
	}
	small := smallGroups(read.CategoryNames(groups), minRows)
	if small == nil {
		return nil
	}
	listed := strings.Join(small[:min(len(small), maxListedValues)], ", ")
	unlisted := len(small) - maxListedValues
	if unlisted > 0 {
		listed += fmt.Sprintf(" and %d more", unlisted)
	}
	return fmt.Errorf("intervals of %v%% need %d calibration rows%s with each value of %s; there are too few with %s: %w", percent, minRows, inMeanGroups, o.GroupColumn, listed, ErrTooFew)
}

// checkCounts returns the error of CheckRows for the rows in which the target is known that fewest rows have.
func (r Rows) checkCounts(o Options, rows []int) error {
	for target := range r.Predictions.Targets {
		known := r.knownRows(target, rows)
		var groups []string
		for _, row := range known {
			if r.Groups != nil {
				groups = append(groups, r.Groups[row])
			}
		}
		if err := CheckRows(o, len(known), groups); err != nil {
			return err
		}
	}
	return nil
}

// smallGroups returns text such as `"red" (3)` for each value that fewer than minRows rows have, in the
// order of the values. groups has the value of each row.
func smallGroups(groups []string, minRows int) []string {
	counts := make(map[string]int)
	for _, value := range groups {
		counts[value]++
	}
	var small []string
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		if counts[value] < minRows {
			small = append(small, fmt.Sprintf("%q (%d)", value, counts[value]))
		}
	}
	return small
}

// roundPercent returns a coverage in percent, rounded to 4 decimals.
func roundPercent(coverage float64) float64 { return math.Round(coverage*1e6) / 1e4 }

// fitGroup fits the kind to the given rows and appends the group. value is the group's value of
// Options.GroupColumn, "" for all rows.
func (c *Calibration) fitGroup(kind Kind, r Rows, value string, rows []int) {
	g := group{Value: value, Rows: len(rows)}
	for target := range r.Predictions.Targets {
		known := r.knownRows(target, rows)
		g.Rows = min(g.Rows, len(known))
		var calibration targetCalibration
		if c.MeanGroups > 0 {
			calibration.ByMean = c.fitMeanGroups(kind, r, target, known)
		} else {
			calibration.TargetFit = r.fit(kind, target, known)
		}
		g.Targets = append(g.Targets, calibration)
	}
	c.Groups = append(c.Groups, g)
}

// IsFittedTo reports whether the calibration was fitted to rows with the targets y, as in Rows.Y. If so,
// the coverage on these rows says nothing about other rows.
func (c *Calibration) IsFittedTo(y []float64) bool {
	return c.TargetsChecksum != "" && c.TargetsChecksum == checksum(y)
}

// checksum returns the SHA-256 of the values in hexadecimal.
func checksum(y []float64) string {
	h := sha256.New()
	var bits [8]byte
	for _, v := range y {
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(v))
		h.Write(bits[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// UnknownValues returns the values of Options.GroupColumn that have no group, each once. Their rows are
// calibrated by the group of all rows. groups has the value of each row.
func (c *Calibration) UnknownValues(groups []string) []string {
	var unknown []string
	seen := make(map[string]bool)
	indexOf := c.groupFinder()
	for _, value := range groups {
		if !seen[value] && indexOf(value) == 0 {
			unknown = append(unknown, value)
		}
		seen[value] = true
	}
	return unknown
}

// groupFinder returns a function that returns the index in Groups of the group of a value, which a program may write in
// another way than the calibration rows. It returns 0, the index of the group of all rows, for a value without a group.
func (c *Calibration) groupFinder() func(value string) int {
	var values []string
	for _, g := range c.Groups[1:] {
		values = append(values, g.Value)
	}
	find := read.CategoryFinder(values)
	return func(value string) int {
		if i, ok := find(value); ok {
			return 1 + i
		}
		return 0
	}
}

// Apply returns calibrated copies of the predictions. groups has the value of Options.GroupColumn in each
// row; it is nil if the calibration has no such column.
func (c *Calibration) Apply(p *evaluation.Predictions, groups []string) *evaluation.Predictions {
	kind, _ := Lookup(c.Kind) // Check has found it
	calibrators := c.calibrators(kind)
	indexOf := c.groupFinder()
	return calibrateEach(p, func(prediction models.Prediction, row, target int) models.Prediction {
		group := 0 // all rows
		if groups != nil {
			group = indexOf(groups[row])
		}
		return calibrators[group][target].calibrate(prediction, p.Family)
	})
}

// calibrateEach returns copies of the predictions, each calibrated by a function of it and its row and target.
func calibrateEach(p *evaluation.Predictions, calibrate func(prediction models.Prediction, row, target int) models.Prediction) *evaluation.Predictions {
	calibrated := *p
	calibrated.Values = make([]models.Prediction, len(p.Values))
	for i, prediction := range p.Values {
		calibrated.Values[i] = calibrate(prediction, i/p.Targets, i%p.Targets)
	}
	return &calibrated
}

// calibrator calibrates predictions of one target in one group of rows.
type calibrator struct {
	kind   Kind
	edges  []float64             // lower edge of the predicted means of each fit but the first; nil if there is one fit
	fits   []TargetFit           // by ascending predicted mean
	shapes []*distribution.Shape // of each fit; nil if distributions keep their shape
}

// calibrators returns the calibrators by group and target.
func (c *Calibration) calibrators(kind Kind) [][]calibrator {
	calibrators := make([][]calibrator, len(c.Groups))
	for g := range calibrators {
		for _, t := range c.Groups[g].Targets {
			k := calibrator{kind: kind}
			k.edges, k.fits = t.FitsByMean()
			for _, fit := range k.fits {
				k.shapes = append(k.shapes, fit.Shape(kind))
			}
			calibrators[g] = append(calibrators[g], k)
		}
	}
	return calibrators
}

// calibrate returns a calibrated prediction.
func (c calibrator) calibrate(p models.Prediction, family distribution.Family) models.Prediction {
	i := 0
	if c.edges != nil {
		i = meanGroupIndex(c.edges, p.Mean())
	}
	return c.fits[i].calibrate(c.kind, p, family, c.shapes[i])
}

// CheckCoverage returns an error if the calibration was fitted to too few rows for intervals of the given
// coverage.
func (c *Calibration) CheckCoverage(coverage float64) error {
	kind, _ := Lookup(c.Kind) // Check has found it
	smallestGroup := c.Rows
	for _, g := range c.Groups {
		for _, t := range g.Targets {
			smallestGroup = min(smallestGroup, t.smallestGroup(g.Rows))
		}
	}
	minRows := kind.Rows(coverage)
	if smallestGroup >= minRows {
		return nil
	}
	if smallestGroup < c.Rows {
		return fmt.Errorf("calibrated intervals of %v%% need %d calibration rows in each group, and the smallest group has %d: calibrate the model on more rows, or choose a smaller coverage", roundPercent(coverage), minRows, smallestGroup)
	}
	return fmt.Errorf("calibrated intervals of %v%% need %d calibration rows, and the model was calibrated on %d: calibrate it on more rows, or choose a smaller coverage", roundPercent(coverage), minRows, smallestGroup)
}

// HasSets reports whether the calibration gives sets of classes.
func (c *Calibration) HasSets() bool {
	kind, err := Lookup(c.Kind)
	return err == nil && kind.hasSets()
}

// Check returns an error if the calibration of a model does not fit the model's family of predictions.
func (c *Calibration) Check(family distribution.Family) error {
	if err := c.CheckTargets(family.Classes > 0); err != nil {
		return err
	}
	if !slices.Equal(c.Levels, family.Levels) {
		return fmt.Errorf("its quantile levels are %v; want the method's levels %v", c.Levels, family.Levels)
	}
	return nil
}

// Percentile returns the fraction, from 0 to 1, of the calibration rows whose calibrated standard
// deviation of a target is below std.
func (c *Calibration) Percentile(std float64, target int) float64 {
	return c.Stds[target].fractionBelow(std)
}
