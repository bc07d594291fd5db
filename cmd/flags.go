package cmd

import (
	"cmp"
	"encoding/csv"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/data"
	"sml/data/read"
	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/graph"
	"sml/models"
)

// splitList cuts a text at its commas and drops empty words.
func splitList(text string) []string {
	var words []string
	for _, w := range strings.Split(text, ",") {
		w = strings.TrimSpace(w)
		if w != "" {
			words = append(words, w)
		}
	}
	return words
}

// appendNew appends a value to a list unless the list has it.
func appendNew[T comparable](list []T, value T) []T {
	if slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

// joinChoices returns the choices as a text with commas between them.
func joinChoices[T ~string](choices []T) string {
	words := make([]string, len(choices))
	for i, c := range choices {
		words[i] = string(c)
	}
	return strings.Join(words, ", ")
}

// checkChoice returns a usage error unless the choices contain the flag's value.
func checkChoice(flag, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return usageErrorf("--%s %q; want one of %s", flag, value, strings.Join(choices, ", "))
}

// choiceFlag returns a flag that accepts only these choices. The first choice is the default.
func choiceFlag(name, help string, choices ...string) cli.Flag {
	return &cli.StringFlag{Name: name, Value: choices[0], Usage: help, Action: func(_ *cli.Context, value string) error {
		return checkChoice(name, value, choices...)
	}}
}

// inRange makes a flag refuse whole numbers outside a range.
func inRange(f *cli.IntFlag, in models.Range) cli.Flag {
	f.Action = func(_ *cli.Context, n int) error {
		if in.Contains(float64(n)) {
			return nil
		}
		return usageErrorf("--%s %d: want %v", f.Name, n, in)
	}
	return f
}

// lookedUp makes a flag refuse names that lookup does not find.
func lookedUp[T any](f *cli.StringFlag, lookup func(name string) (T, error)) cli.Flag {
	f.Action = func(_ *cli.Context, name string) error {
		if _, err := lookup(name); err != nil {
			return usageErrorf("--%s: %w", f.Name, err)
		}
		return nil
	}
	return f
}

// jobsFlag returns the flag --jobs. things are what runs at the same time.
func jobsFlag(things string) cli.Flag {
	return inRange(&cli.IntFlag{Name: "jobs", Usage: "run this `NUMBER` of " + things + " at the same time", DefaultText: "all cores"}, study.Jobs)
}

// checkNotZero returns an error if a flag is set to 0 or −0. Settings read 0 as the default, but
// a user who writes 0 does not ask for the default.
func checkNotZero(c *cli.Context, flags ...string) error {
	for _, name := range flags {
		if c.IsSet(name) && reflect.ValueOf(c.Value(name)).IsZero() {
			return usageErrorf("--%s %v: it must be more than 0; leave it out for its default", name, c.Value(name))
		}
	}
	return nil
}

// maxCoverage is the largest coverage of an interval, 4.9 standard deviations to each side.
// Further out, the tail of a normal distribution says nothing about real targets.
const maxCoverage = 0.999999

// checkCoverage returns an error if a flag is set to a coverage outside (0, maxCoverage].
func checkCoverage(c *cli.Context, flag string) error {
	if p := c.Float64(flag); c.IsSet(flag) && !(p > 0 && p <= maxCoverage) {
		return usageErrorf("--%s %v: want more than 0, and at most %v", flag, p, maxCoverage)
	}
	return nil
}

// engineFlag returns the flag --engine.
func engineFlag() cli.Flag {
	return &cli.StringFlag{Name: "engine", Usage: "evaluate graphs with this `ENGINE`: " + joinChoices(graph.Engines()), DefaultText: string(graph.Engines()[0]),
		Action: func(_ *cli.Context, name string) error {
			if _, err := graph.ParseEngine(name); err != nil {
				return usageError{err}
			}
			return nil
		},
	}
}

// Texts about the measures without --measures, for measuresFlag.
const (
	usualMeasures   = "all except those on request"
	summaryMeasures = "RMSE, MAE, CRPS, coverage and width, or log loss, accuracy and Brier score of classes; --json has all except those on request"
)

// measuresFlag returns the flag --measures. chosenMeasures reads it. defaultText names the measures without the flag.
func measuresFlag(defaultText string) cli.Flag {
	return &cli.StringFlag{Name: "measures", Usage: "print these measures (see \"sml measures\"): `NAMES` with commas between them, or all", DefaultText: defaultText,
		Action: func(c *cli.Context, _ string) error {
			names := chosenMeasures(c)
			if len(names) == 0 {
				return usageErrorf("--measures names nothing: leave it out for the usual ones")
			}
			if _, err := measure.Select(names); err != nil {
				return usageErrorf("--measures: %w", err)
			}
			return nil
		},
	}
}

// chosenMeasures returns the names of --measures, nil for the default measures.
func chosenMeasures(c *cli.Context) []string { return splitList(c.String("measures")) }

// protocolFlag returns the flag --protocol. action is its help text without the choices.
func protocolFlag(action, defaultText string) cli.Flag {
	return &cli.StringFlag{Name: "protocol", Usage: action + ": paper (as published) or sound (with its errors corrected)", DefaultText: defaultText,
		Action: func(_ *cli.Context, name string) error {
			if _, err := data.ParseProtocol(name); err != nil {
				return usageError{err}
			}
			return nil
		},
	}
}

// chosenProtocol returns the protocol of --protocol, or else defaultProtocol.
func chosenProtocol(c *cli.Context, defaultProtocol data.Protocol) data.Protocol {
	return cmp.Or(data.Protocol(c.String("protocol")), defaultProtocol)
}

// setFlag returns the flag --set. chosenHyperparameters reads it.
func setFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "set", Usage: "set a hyperparameter of the method or its network, `NAME=VALUE`; repeat the flag for several"}
}

// chosenHyperparameters returns the hyperparameters that --set chooses for a method and its
// network, "" for the method's own.
func chosenHyperparameters(c *cli.Context, method, network string) (models.Hyperparameters, error) {
	chosen, err := models.ParseHyperparameters(c.StringSlice("set"))
	if err != nil {
		return nil, usageError{err}
	}
	m, err := models.Lookup(method)
	if err == nil {
		err = m.CheckHyperparameters(network, chosen)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return chosen, nil
}

// keepFlag returns the flag --keep. file describes the table whose columns it copies. addKept reads it.
func keepFlag(file string) cli.Flag {
	return &cli.StringSliceFlag{Name: "keep", Usage: "copy these `COLUMNS` of " + file + " unchanged: names or numbers with commas between them, or all; quote a name that has a comma"}
}

// addKept adds the columns of --keep to options.
func addKept(c *cli.Context, o *read.Options) error {
	for _, text := range c.StringSlice("keep") {
		if text == "all" {
			o.KeepAll = true
			continue
		}
		line := csv.NewReader(strings.NewReader(text))
		line.TrimLeadingSpace = true
		names, err := line.Read()
		if err != nil || strings.Contains(text, "\n") {
			return usageErrorf("--keep %q: want names of columns with commas between them, such as id,date; one with a comma in quotes", text)
		}
		o.Keep = append(o.Keep, names...)
	}
	return nil
}

// precisionFlag returns the flag --precision: without it, numbers have all digits that reading them
// back exactly takes.
func precisionFlag() cli.Flag {
	return inRange(&cli.IntFlag{Name: "precision", Usage: "round numbers to this many significant `DIGITS`, 1 to 17", DefaultText: "as many as are needed to read the same number back"},
		models.Range{Min: 1, Max: 17})
}
