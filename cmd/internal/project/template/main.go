// Program my-loss is sml with one more method, my-loss: see method.go.
package main

import (
	"os"

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
