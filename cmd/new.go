package cmd

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/project"
	"sml/models"
)

// newCommand returns the command "sml new".
func newCommand() *cli.Command {
	return &cli.Command{
		Name:        "new",
		Usage:       "start a project of your own",
		Subcommands: []*cli.Command{newMethodCommand()},
	}
}

// newMethodCommand returns the command "sml new method".
func newMethodCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "method",
		Usage:     "write a Go module with a method of your own",
		UsageText: "sml new method NAME DIR [--source DIR]",
		Description: "The module builds the whole program with one more method, NAME: a normal distribution, trained by its\n" +
			"negative log-likelihood. It has a test, and a README.md with the next commands. DIR must not exist.",
		Action: argumentsAction([]string{"the name of the method", "the new directory"}, writeProject),
	}, []string{
		"sml new method laplace ../laplace",
	}, optionGroup{flags: []cli.Flag{
		&cli.StringFlag{Name: "source", Usage: "build against the source of sml in `DIR`", DefaultText: "the source that this program was built from"},
	}})
}

// writeProject writes a Go module with the method that the first argument names into the directory
// that the second names.
func writeProject(c *cli.Context, args []string) error {
	name := args[0]
	dir := args[1]
	if err := project.CheckName(name); err != nil {
		return usageError{err}
	}
	if _, err := models.Lookup(name); err == nil {
		return usageErrorf("method %q exists already: choose another name; \"sml methods\" lists all", name)
	}
	source, err := projectSource(c)
	if err != nil {
		return err
	}
	if err := project.Write(dir, name, source); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s is a program with the method %s, in %s. Next:\n  cd %s && go test .\n%s has more commands.\n",
		dir, name, filepath.Join(dir, "method.go"), dir, filepath.Join(dir, "README.md"))
	return err
}

// projectSource returns the directory of sml's source as an absolute path.
func projectSource(c *cli.Context) (string, error) {
	if c.IsSet("source") {
		return filepath.Abs(c.String("source"))
	}
	source, err := project.BuiltFrom()
	if err != nil {
		return "", fmt.Errorf("%w; name its directory with --source", err)
	}
	return source, nil
}
