// Program series is sml for a series: with a data set that is one, a split into
// blocks of rows that follow each other, and a measure of the worst miss, each a file.
package main

import (
	"os"

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
