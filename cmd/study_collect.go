package cmd

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sml/evaluation/study"
)

// studyCollectCommand returns the command "sml study collect".
func studyCollectCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "collect",
		Usage:     "join the results of one study from several directories",
		UsageText: "sml study collect INTO OWN…",
		Description: "Join directories with the same plan, such as the --out directories of several shards, into the\n" +
			"directory INTO, which may be new. If two results of one cell differ, nothing is written. Studies with\n" +
			"different plans are not joined; report them together with \"sml study report A B\".",
		Action: collectStudies,
	}, []string{
		"sml study collect all part-1 part-2",
	}, optionGroup{flags: []cli.Flag{jsonFlag()}})
}

// collectResult is the result of "sml study collect".
type collectResult struct {
	Study            string `json:"study"` // directory into which the results were joined
	study.JoinCounts        // numbers of cells, by what happened to them
}

// collectStudies joins the results of the studies in the arguments into the first of them.
func collectStudies(c *cli.Context) error {
	dirs := c.Args().Slice()
	if len(dirs) < 2 {
		return usageErrorf("name the directory that results go into, and the directories that they come from")
	}
	defer announce(c, "collecting")()
	into := dirs[0]
	from := dirs[1:]
	counts, err := study.Join(into, from)
	if err != nil {
		return err
	}
	result := collectResult{Study: into, JoinCounts: counts}
	return printResult(c, result, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %d cells copied, %d identical, %d broken skipped, %d still missing\n", into, counts.Copied, counts.Identical, counts.Broken, counts.Missing)
	})
}
