package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/evaluation/study"
)

// Report is a report on one or several studies. New returns a report with defaults; its fields may be
// changed before Draw, Files or WriteHTML is called.
type Report struct {
	// Results of the studies.
	Studies []Study
	Scores  []measure.Score    // scores of all studies
	Folds   []study.FoldScores // scores of each training
	Seeds   []study.SeedScores // scores of each seed; nil unless the studies have several seeds

	// Contents of the page and of the tables.
	Title       string
	Intro       []string                  // paragraphs below the title
	Shown       []measure.Score           // scores that tables, overviews and the page show: all or a part of Scores
	MethodTitle func(label string) string // title of a method in tables and figures
	Reference   Reference                 // scores to compare with; the zero Reference for none
	Overviews   []string                  // names of the measures by which Draw draws an Overview of Shown
	Tables      []Tables                  // further tables, which are written to files
	Sections    []Section                 // further sections of the page
	Facts       []Fact                    // settings, versions, seeds, machines and times
	Notes       []string                  // paragraphs below the facts

	pictures []Picture // set by Draw
}

// Fact is a line of a report that says how the results were computed, such as the number of seeds.
type Fact struct{ Name, Value string }

// Study is a study with its results.
type Study struct {
	Dir string // directory of the study
	*study.Plan
	study.Results
}

// Tables are the tables of one Markdown file and of one LaTeX file.
type Tables struct {
	Name string // name of the files, without their extensions
	List []Table
}

// defaultIntro introduces the page of a report.
const defaultIntro = "This study trains regression networks that report their uncertainty, and scores their means and their uncertainties. " +
	"Every score is a mean over folds and refers to the standardised target."

// New reads the results of the studies in dirs and returns a report on them, which shows all scores and has
// an overview of each measure. It combines studies that differ in splits, folds and seeds, as study.Collect
// does. The notes name trainings that several studies contain. New returns an error if a plan or a result
// cannot be read.
func New(dirs []string) (r *Report, notes []string, err error) {
	directories, err := readPlans(dirs)
	if err != nil {
		return nil, nil, err
	}
	addOptimizersToLabels(directories) // first, because scores get the labels of their cells
	results, notes, err := study.Collect(directories)
	if err != nil {
		return nil, nil, err
	}
	r = &Report{Intro: []string{defaultIntro}, MethodTitle: study.MethodTitle}
	var names []string
	for i, d := range directories {
		s := Study{Dir: d.Dir, Plan: d.Plan, Results: results[i]}
		r.addStudy(s)
		names = append(names, s.name())
	}
	r.Title = "Study " + strings.Join(names, ", ")
	r.Shown = r.Scores // Show selects some of them
	r.Overviews = measuresOf(r.Scores)
	return r, notes, nil
}

// readPlans returns the plans of the studies in dirs.
func readPlans(dirs []string) ([]study.Directory, error) {
	var directories []study.Directory
	for _, dir := range dirs {
		plan, err := study.ReadPlan(dir)
		if err != nil {
			return nil, err
		}
		directories = append(directories, study.Directory{Dir: dir, Plan: plan})
	}
	return directories, nil
}

// addStudy adds a study with its scores, facts and notes.
func (r *Report) addStudy(s Study) {
	r.Studies = append(r.Studies, s)
	r.Scores = append(r.Scores, s.Scores...)
	r.Folds = append(r.Folds, s.Folds...)
	for _, seed := range s.Seeds {
		r.addSeedScores(seed)
	}
	r.Facts = append(r.Facts, s.facts()...)
	r.Notes = append(r.Notes, s.notes()...)
}

// name returns the name of the study's directory.
func (s Study) name() string { return filepath.Base(filepath.Clean(s.Dir)) }

// addSeedScores adds a study's scores of one seed to the scores of that seed from other studies.
func (r *Report) addSeedScores(s study.SeedScores) {
	i := slices.IndexFunc(r.Seeds, func(known study.SeedScores) bool { return known.Seed == s.Seed })
	if i < 0 {
		i = len(r.Seeds)
		r.Seeds = append(r.Seeds, study.SeedScores{Seed: s.Seed})
	}
	r.Seeds[i].Scores = append(r.Seeds[i].Scores, s.Scores...)
}

// notes returns paragraphs on data sets that were left out, failures and warnings.
func (s Study) notes() []string {
	var notes []string
	if len(s.MissingDatasets) > 0 {
		notes = append(notes, "Data sets left out because their files are missing: "+strings.Join(s.MissingDatasets, ", ")+".")
	}
	for _, failure := range s.Summary.Failures {
		notes = append(notes, "Failed: "+failure)
	}
	for _, warning := range s.Summary.Warnings {
		notes = append(notes, "Warning: "+warning)
	}
	return notes
}

// Show restricts tables, overviews and the page to the measures with the given names. It returns an
// error that lists all measures if there are no names, or if a study has no score by one of them.
func (r *Report) Show(names []string) error {
	available := measuresOf(r.Scores)
	if len(names) == 0 {
		return fmt.Errorf("no measure is named; the study has scores by %s", strings.Join(available, ", "))
	}
	for _, name := range names {
		if !slices.Contains(available, name) {
			return fmt.Errorf("no score by measure %q; the study has scores by %s", name, strings.Join(available, ", "))
		}
	}
	isHidden := func(name string) bool { return !slices.Contains(names, name) }
	r.Shown = FilterScores(r.Shown, func(s measure.Score) bool { return !isHidden(s.Measure) })
	r.Overviews = slices.DeleteFunc(slices.Clone(r.Overviews), isHidden)
	return nil
}

// Incomplete returns text that says how many cells of each study are missing or broken, or "" if all
// cells have a result.
func (r *Report) Incomplete() string {
	var incomplete []string
	for _, s := range r.Studies {
		if s.Summary.Missing+s.Summary.Broken > 0 {
			text := fmt.Sprintf("%s has %d of %d cells missing and %d broken", s.Dir, s.Summary.Missing, s.Summary.Cells, s.Summary.Broken)
			incomplete = append(incomplete, text)
		}
	}
	return strings.Join(incomplete, "; ")
}

// Agreement counts the reference's scores that the report's scores reproduce, also scores that are not shown.
func (r *Report) Agreement() Agreement { return Agree(r.Scores, r.Reference) }

// Protocol returns the protocol of the studies, or "" if they differ in it.
func (r *Report) Protocol() data.Protocol {
	protocols := DistinctNames(r.Studies, func(s Study) string { return s.Config.Protocol })
	if len(protocols) != 1 {
		return ""
	}
	return data.Protocol(protocols[0])
}

// facts returns the facts of a study: its settings, tables, times and machines. If a setting differs between the cells,
// its fact lists all values.
func (s Study) facts() []Fact {
	facts := s.settingFacts()
	for _, table := range DistinctNames(s.Cells, describeTable) {
		if table != "" {
			facts = append(facts, Fact{"table", table})
		}
	}
	times, err := study.ReadTimes(s.Dir)
	if err != nil || times.First.IsZero() { // a study without a log of times has fewer facts
		return facts
	}
	duration := fmt.Sprintf("%v, %s", times.Wall.Round(time.Second), times.First.Format("2 January 2006"))
	facts = append(facts, Fact{"time", duration})
	return append(facts, machineFacts(times.Machines)...)
}

// settingFacts returns the facts on the plan of a study and on its progress.
func (s Study) settingFacts() []Fact {
	listValues := func(value func(study.PlannedCell) string) string {
		return strings.Join(DistinctNames(s.Cells, value), ", ")
	}
	optimizers := listValues(func(c study.PlannedCell) string { return c.Training.DescribeOptimizer() })
	rates := listValues(func(c study.PlannedCell) string { return fmt.Sprint(c.Training.LearningRate) })
	schedules := listValues(func(c study.PlannedCell) string { return fmt.Sprint(c.Training.Schedule) })
	return []Fact{
		{"study", fmt.Sprintf("%s: %d of %d cells done, %d failed", s.name(), s.Summary.Done, s.Summary.Cells, s.Summary.Failed)},
		{"protocol", s.Config.Protocol},
		{"network", strings.Join(DistinctNames(s.Cells, describeNetwork), "; ")},
		{"training", optimizers + ", learning rates " + rates + ", " + schedules},
		{"sub-networks", listValues(countSubNetworks)},
		{"seeds", strings.Trim(fmt.Sprint(s.Config.Seeds), "[]")}, // "1 2 3"
		{"version", s.Version},
	}
}

// countSubNetworks returns the number of sub-networks in a cell's predictions, as text: "all" if their moments
// are analytic.
func countSubNetworks(c study.PlannedCell) string {
	if c.Prediction.Moments == evaluation.AnalyticMoments {
		return "all"
	}
	return strconv.Itoa(c.Prediction.Samples)
}

// describeNetwork returns text on a cell's network such as "two hidden layers of 50, ReLU, dropout 0.1", with the network's
// title before it unless the network is a plain multilayer perceptron.
func describeNetwork(c study.PlannedCell) string {
	architecture := c.Spec.Architecture
	title := ""
	network, err := c.Spec.Network() // an error means that the network is not registered here, and has no title
	if err == nil && network.Name != "mlp" {
		title = network.Title + ", "
	}
	activation := strings.Replace(architecture.Activation, "relu", "ReLU", 1)
	return fmt.Sprintf("%s%s, %s, dropout %v", title, describeLayers(architecture.Hidden), activation, architecture.Dropout)
}

// describeLayers returns text on the hidden layers with the given widths, such as "two hidden layers of
// 50".
func describeLayers(widths []int) string {
	listed := strings.ReplaceAll(strings.Trim(fmt.Sprint(widths), "[]"), " ", ", ") // from "[50 20]"
	switch {
	case len(widths) == 0:
		return "no hidden layer"
	case len(widths) == 1:
		return "a hidden layer of " + listed
	case len(widths) == 2 && widths[0] == widths[1]:
		return fmt.Sprintf("two hidden layers of %d", widths[0])
	}
	return "hidden layers of " + listed
}

// describeTable returns text on the file, size, target and checksum of a cell's table, or "" if the cell
// uses a registered data set.
func describeTable(c study.PlannedCell) string {
	if c.Alias == "" {
		return ""
	}
	target := "the last column"
	if len(c.Table.Target) > 0 {
		target = strings.Join(c.Table.Target, ", ")
	}
	return fmt.Sprintf("%s: %s, %d rows, target %s, SHA-256 of its names and values %s",
		c.Alias, filepath.Base(c.Table.Name), c.Table.Rows, target, c.Table.Checksum)
}

// machineFacts returns two facts, on hardware and on software, for each kind of machine that computed a
// study. Machines that differ only in their host's name are of one kind.
func machineFacts(machines []study.Machine) []Fact {
	var kinds []study.Machine // without a host's name
	counts := make(map[study.Machine]int)
	for _, m := range machines {
		m.Host = ""
		if counts[m] == 0 {
			kinds = append(kinds, m)
		}
		counts[m]++
	}
	var facts []Fact
	for _, m := range kinds {
		hardware := fmt.Sprintf("%d cores of %s, %s", m.Cores, m.CPU, m.System)
		if counts[m] > 1 {
			hardware = fmt.Sprintf("%d machines, each %s", counts[m], hardware)
		}
		software := fmt.Sprintf("%s, Gorgonia %s, %s kernels", m.Go, m.Gorgonia, m.Kernels)
		facts = append(facts, Fact{"computed on", hardware}, Fact{"computed with", software})
	}
	return facts
}
