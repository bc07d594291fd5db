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

	"sml/evaluation"
	"sml/internal/statistics"
	"sml/models"
	"sml/models/distribution"
)

// Options say how a calibration is made.
type Options struct {
	Kind     string  `json:"kind,omitempty"`     // default the first of Kinds
	Coverage float64 `json:"coverage,omitempty"` // the largest that intervals are to have; default 0.95
	By       string  `json:"by,omitempty"`       // column whose values are calibrated each by itself; "": all together
}

// Resolve fills in defaults.
func (o Options) Resolve() (Options, error) {
	o.Kind, o.Coverage = cmp.Or(o.Kind, Kinds()[0].Name), cmp.Or(o.Coverage, 0.95)
	if !(o.Coverage > 0 && o.Coverage < 1) {
		return o, fmt.Errorf("a coverage of %v: want more than 0 and less than 1", o.Coverage)
	}
	_, err := Lookup(o.Kind)
	return o, err
}

// Calibration is what was learnt of predictions. Its JSON stands in a model.
type Calibration struct {
	Options
	Rows            int       `json:"rows"`             // that it was fitted on
	TargetsChecksum string    `json:"of,omitempty"`     // a checksum of their targets
	Levels          []float64 `json:"levels,omitempty"` // of the quantiles, if predictions are such
	Groups          []group   `json:"groups"`           // all rows, then the rows of each value of By, in ascending order

	Stds []OrderStatistics `json:"stds,omitempty"` // calibrated standard deviations of the rows, of each target
}

// group is the rows with one value of Options.By.
type group struct {
	Value   string      `json:"value,omitempty"`
	Rows    int         `json:"rows"`
	Targets []TargetFit `json:"targets"`
}

// Rows are rows to calibrate on, which the model was not trained on.
type Rows struct {
	Predictions *evaluation.Predictions // not calibrated
	Y           []float64               // targets, as Predictions.Values: evaluation.Truth.Standardised
	Weights     []float64               // of the rows, for the scale of σ alone; nil: all count alike
	By          []string                // the value of Options.By of each row; nil without
}

// Fit calibrates. Where there are too few rows for the coverage, the error names how
// many it takes.
func Fit(r Rows, o Options) (*Calibration, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, err
	}
	kind, err := Lookup(o.Kind)
	if err != nil {
		return nil, err
	}
	if err := r.check(kind, o); err != nil {
		return nil, err
	}
	p := r.Predictions
	c := &Calibration{Options: o, Rows: len(p.Values) / p.Targets, TargetsChecksum: checksum(r.Y), Levels: p.Family.Levels}
	if err := CheckRows(o, c.Rows, r.By); err != nil {
		return nil, err
	}
	if err := c.fitGroups(kind, r); err != nil {
		return nil, err
	}
	if p.Family.Classes > 0 {
		return c, nil
	}
	calibrated := c.Apply(p, r.By)
	for target := range p.Targets {
		_, std := calibrated.Column(target)
		c.Stds = append(c.Stds, newOrderStatistics(std))
	}
	return c, nil
}

// check returns an error if a kind cannot calibrate the predictions of these rows.
func (r Rows) check(kind Kind, o Options) error {
	p := r.Predictions
	if err := CheckKind(o.Kind, p.Family.Classes > 0); err != nil {
		return err
	}
	switch {
	case len(p.Values) == 0 || len(r.Y) != len(p.Values):
		return fmt.Errorf("%d targets beside %d predictions: want some, one of each", len(r.Y), len(p.Values))
	case p.Family.Classes == 0 && !p.HasStd():
		return errors.New("the method gives no standard deviation: there is nothing to calibrate")
	case p.Family.Levels != nil && kind.FitQuantiles == nil:
		return fmt.Errorf("the kind %s is for standard deviations, and the method gives quantiles: there is %s", kind.Name, strings.Join(quantileKinds(), ", "))
	case (o.By == "") != (r.By == nil):
		return fmt.Errorf("values of the column %q of no row, or of rows without a column", o.By)
	}
	return nil
}

// addAll fits the group of all rows, and then the group of each value of the column Options.By.
func (c *Calibration) fitGroups(kind Kind, r Rows) error {
	all := make([]int, c.Rows)
	for row := range all {
		all[row] = row
	}
	if err := c.fitGroup(kind, r, group{}, all); err != nil {
		return err
	}
	groups := make(map[string][]int)
	for row, value := range r.By {
		groups[value] = append(groups[value], row)
	}
	for _, value := range slices.Sorted(maps.Keys(groups)) {
		if err := c.fitGroup(kind, r, group{Value: value}, groups[value]); err != nil {
			return err
		}
	}
	return nil
}

func quantileKinds() []string {
	var names []string
	for _, k := range Kinds() {
		if k.FitQuantiles != nil {
			names = append(names, k.Name)
		}
	}
	return names
}

// DefaultKind returns the kind of a calibration of numbers, or of classes.
func DefaultKind(classes bool) string {
	if classes {
		return temperature.Name
	}
	return Kinds()[0].Name
}

// CheckKind returns an error if a kind cannot calibrate numbers, or classes.
func CheckKind(name string, classes bool) error {
	kind, err := Lookup(name)
	switch {
	case err != nil:
		return err
	case classes && kind.FitClasses == nil:
		return fmt.Errorf("the kind %s is for numbers, and the method predicts classes: there is %s", name, temperature.Name)
	case !classes && kind.Fit == nil:
		return fmt.Errorf("the kind %s is for classes, and the method predicts numbers: there is %s", name, DefaultKind(false))
	}
	return nil
}

// ErrTooFew is wrapped by errors about too few rows for a coverage.
var ErrTooFew = errors.New("want more rows, or a smaller coverage")

// maxListedValues is the largest number of values of a column that an error lists.
const maxListedValues = 5

// CheckRows returns an error wrapping ErrTooFew if there are too few rows for a
// calibration, or too few rows of one value of the column Options.By. The slice by has the
// value of each row; it is nil without such a column.
func CheckRows(o Options, rows int, by []string) error {
	o, err := o.Resolve()
	if err != nil {
		return err
	}
	kind, err := Lookup(o.Kind)
	if err != nil {
		return err
	}
	percent, least := math.Round(o.Coverage*1e6)/1e4, kind.Rows(o.Coverage)
	if rows < least {
		return fmt.Errorf("intervals of %v%% take %d rows to calibrate them, and there are %d: %w", percent, least, rows, ErrTooFew)
	}
	counts := make(map[string]int)
	for _, value := range by {
		counts[value]++
	}
	var few []string
	for _, value := range slices.Sorted(maps.Keys(counts)) {
		if counts[value] < least {
			few = append(few, fmt.Sprintf("%q with %d", value, counts[value]))
		}
	}
	if few == nil {
		return nil
	}
	list := strings.Join(few[:min(len(few), maxListedValues)], ", ")
	if more := len(few) - maxListedValues; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf("intervals of %v%% take %d rows of each value of %s, and there is %s: %w", percent, least, o.By, list, ErrTooFew)
}

// add fits a group.
func (c *Calibration) fitGroup(kind Kind, r Rows, g group, rows []int) error {
	p := r.Predictions
	g.Rows = len(rows)
	for target := range p.Targets {
		at := func(row int) int { return row*p.Targets + target }
		if levels := p.Family.Levels; levels != nil {
			s := QuantileSample{Levels: levels}
			for _, row := range rows {
				s.Quantiles, s.Y = append(s.Quantiles, quantilesAt(p.Values[at(row)], levels)), append(s.Y, r.Y[at(row)])
			}
			g.Targets = append(g.Targets, TargetFit{Shifts: kind.FitQuantiles(s)})
			continue
		}
		if p.Family.Classes > 0 {
			var s ClassSample
			for _, row := range rows {
				classes := p.Values[at(row)].Distribution.(distribution.Classes)
				s.Classes, s.Y = append(s.Classes, classes), append(s.Y, r.Y[at(row)])
				if r.Weights != nil {
					s.Weights = append(s.Weights, r.Weights[row])
				}
			}
			g.Targets = append(g.Targets, TargetFit{Temperature: kind.FitClasses(s)})
			continue
		}
		var s Sample
		for _, row := range rows {
			v := p.Values[at(row)]
			s.Mean, s.Std, s.Y = append(s.Mean, v.Mean()), append(s.Std, v.Std()), append(s.Y, r.Y[at(row)])
			if r.Weights != nil {
				s.Weights = append(s.Weights, r.Weights[row])
			}
		}
		if s.Weights != nil && !slices.ContainsFunc(s.Weights, func(w float64) bool { return w > 0 }) {
			return fmt.Errorf("the weights of all %d rows to calibrate on are 0; want at least one weight above 0", len(rows))
		}
		g.Targets = append(g.Targets, kind.Fit(s))
	}
	c.Groups = append(c.Groups, g)
	return nil
}

// FittedOn tells whether targets, as in Rows, are those that it was fitted on: how often
// they are covered then says nothing of others.
func (c *Calibration) IsFittedTo(y []float64) bool {
	return c.TargetsChecksum != "" && c.TargetsChecksum == checksum(y)
}

func checksum(y []float64) string {
	h := sha256.New()
	var bits [8]byte
	for _, v := range y {
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(v))
		h.Write(bits[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Unknown lists values of Options.By that no group has, each once: their rows are
// calibrated as all rows together.
func (c *Calibration) UnknownValues(by []string) []string {
	var unknown []string
	known := make(map[string]bool)
	for _, value := range by {
		if !known[value] && c.groupIndex(value) == 0 {
			unknown = append(unknown, value)
		}
		known[value] = true
	}
	return unknown
}

// group is the place of the group of a value, 0 if there is none of its own.
func (c *Calibration) groupIndex(value string) int {
	if c.By == "" {
		return 0
	}
	i, ok := slices.BinarySearchFunc(c.Groups[1:], value, func(g group, value string) int { return strings.Compare(g.Value, value) })
	if !ok {
		return 0
	}
	return i + 1
}

// Apply returns the calibrated predictions; by holds the value of Options.By of each row (nil
// without). Those given stay as they are.
func (c *Calibration) Apply(p *evaluation.Predictions, by []string) *evaluation.Predictions {
	kind, err := Lookup(c.Kind)
	if err != nil {
		panic(err) // Check
	}
	shapes := make([][]distribution.Shape, len(c.Groups)) // of each target
	if kind.Shape != nil && c.Levels == nil {
		for g := range shapes {
			for _, f := range c.Groups[g].Targets {
				shapes[g] = append(shapes[g], kind.Shape(f))
			}
		}
	}
	out := *p
	out.Values = make([]models.Prediction, len(p.Values))
	for i, v := range p.Values {
		g, target := 0, i%p.Targets
		if by != nil {
			g = c.groupIndex(by[i/p.Targets])
		}
		f := c.Groups[g].Targets[target]
		switch {
		case f.Temperature > 0:
			out.Values[i] = models.Prediction{Distribution: applyTemperature(v.Distribution.(distribution.Classes), 1/f.Temperature)}
		case f.Shifts != nil:
			out.Values[i] = f.shiftQuantiles(v, p.Family)
		case shapes[g] != nil:
			shaped := distribution.NewShaped(v.Distribution, v.Mean(), f.calibrateStd(v.Std()), shapes[g][target])
			out.Values[i] = v.WithDistribution(shaped)
		default:
			out.Values[i] = v.WithDistribution(distribution.WithMoments(v.Distribution, v.Mean(), f.calibrateStd(v.Std())))
		}
	}
	return &out
}

// quantilesAt returns the quantiles of a prediction at levels.
func quantilesAt(p models.Prediction, levels []float64) []float64 {
	quantiles := make([]float64, len(levels))
	for i, level := range levels {
		quantiles[i] = p.Quantile(level)
	}
	return quantiles
}

// shift adds to each quantile.
func (f TargetFit) shiftQuantiles(p models.Prediction, family distribution.Family) models.Prediction {
	quantiles := quantilesAt(p, family.Levels)
	for i, shift := range f.Shifts {
		quantiles[i] += shift
	}
	return p.WithDistribution(family.New(quantiles))
}

// std is a standard deviation as it is calibrated.
func (f TargetFit) calibrateStd(std float64) float64 { return math.Max(std, f.Floor) * f.Scale }

// CheckCoverage returns an error if there were too few rows for intervals of that
// coverage; it names how many it takes.
func (c *Calibration) CheckCoverage(coverage float64) error {
	kind, err := Lookup(c.Kind)
	if err != nil {
		return err
	}
	fewest := c.Rows
	for _, g := range c.Groups {
		fewest = min(fewest, g.Rows)
	}
	if least := kind.Rows(coverage); fewest < least && c.Levels == nil {
		return fmt.Errorf("calibrated intervals of %v%% take %d rows, and the model was calibrated on %d: calibrate it on more, or ask for a smaller coverage", math.Round(coverage*1e6)/1e4, least, fewest)
	}
	return nil
}

// Check returns an error if a calibration, which comes from a file, does not fit a model
// with this number of targets and this family of predictions.
func (c *Calibration) Check(targets int, family distribution.Family) error {
	levels := family.Levels
	resolved, err := c.Options.Resolve()
	if err == nil {
		err = CheckKind(resolved.Kind, family.Classes > 0)
	}
	switch {
	case err != nil:
		return err
	case resolved != c.Options:
		return errors.New("its options are not complete")
	case !slices.Equal(c.Levels, levels):
		return fmt.Errorf("it is of quantiles at %v, and the method's are at %v", c.Levels, levels)
	case len(c.Groups) == 0 || c.Groups[0].Value != "" || c.Groups[0].Rows != c.Rows || len(c.Groups) > 1 && c.By == "":
		return errors.New("its groups are not those of a calibration")
	case c.Stds != nil && len(c.Stds) != targets:
		return fmt.Errorf("it has standard deviations of %d targets, and the model has %d", len(c.Stds), targets)
	}
	kind, err := Lookup(c.Kind)
	if err != nil {
		return err
	}
	for _, s := range c.Stds {
		if err := s.check(); err != nil {
			return err
		}
	}
	rows := 0 // number of rows of the groups behind the first
	for i, g := range c.Groups {
		if len(g.Targets) != targets || i > 1 && g.Value <= c.Groups[i-1].Value {
			return fmt.Errorf("its group %d is not in its place, or not of %d targets", i, targets)
		}
		if least := kind.Rows(c.Coverage); g.Rows < least || g.Rows > c.Rows {
			return fmt.Errorf("its group %d is of %d rows; want at least %d, and at most %d", i, g.Rows, least, c.Rows)
		}
		if i > 0 {
			rows += g.Rows
		}
		for _, f := range g.Targets {
			if err := f.check(kind, len(levels), g.Rows); err != nil {
				return err
			}
		}
	}
	if c.By != "" && rows != c.Rows {
		return fmt.Errorf("its groups are of %d rows together; want %d", rows, c.Rows)
	}
	return nil
}

// check returns an error if the kind cannot have fitted f to the given number of rows.
func (f TargetFit) check(kind Kind, levels, rows int) error {
	if kind.FitClasses != nil {
		if !(f.Temperature >= minTemperature && f.Temperature <= maxTemperature) {
			return fmt.Errorf("its temperature is %v; want %v to %v", f.Temperature, minTemperature, maxTemperature)
		}
		return nil
	}
	if levels > 0 {
		if len(f.Shifts) != levels || slices.ContainsFunc(f.Shifts, func(v float64) bool { return !statistics.Finite(v) }) {
			return fmt.Errorf("it shifts quantiles by %v; want %d finite numbers", f.Shifts, levels)
		}
		return nil
	}
	if !(f.Floor >= 0) || !(f.Scale > 0) || !statistics.Finite(f.Floor) || !statistics.Finite(f.Scale) || f.Shifts != nil {
		return fmt.Errorf("it scales standard deviations by %v, from %v on", f.Scale, f.Floor)
	}
	if kind.Shape == nil {
		return nil
	}
	if f.Scores.Count != rows {
		return fmt.Errorf("it has the scores of %d rows; want %d", f.Scores.Count, rows)
	}
	return f.Scores.check()
}

// Percentile is the share, from 0 to 1, of the rows calibrated on that have a smaller
// standard deviation than one of that target.
func (c *Calibration) Percentile(std float64, target int) float64 {
	return c.Stds[target].fractionBelow(std)
}
