// Program sml trains regression networks that know how sure they are, and
// judges them. Run it without arguments for its commands.
package main

import (
	"os"

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
