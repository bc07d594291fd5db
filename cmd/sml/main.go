// Program sml trains regression networks that know how sure they are, and
// judges them. Run it without arguments for its commands.
package main

import (
	"os"

	_ "golang.org/x/crypto/x509roots/fallback" // certificates for HTTPS where the system has none, as in an image of the program alone

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
