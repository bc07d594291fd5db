package cmd

import (
	"github.com/urfave/cli/v2"
)

// studyCommand returns the command "sml study".
func studyCommand() *cli.Command {
	return &cli.Command{
		Name:  "study",
		Usage: "run and report a grid of data sets, methods, splits, folds and seeds",
		Subcommands: []*cli.Command{
			studyPlanCommand(), studyRunCommand(), studyCollectCommand(), studyStatusCommand(),
			studyReportCommand(), studySubmitCommand(),
		},
	}
}
