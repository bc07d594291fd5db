// Program series is sml with parts for series of values: a data set (waves.go), a split into blocks of
// successive rows (blocks.go), a measure of the largest error (worst.go) and a setting for the number of
// hidden layers (depth.go). Copy one of these files into a program of your own, with the function main of
// this file, and change it.
//
//	go run ./examples/series data list
//	go run ./examples/series train --data waves --split blocks --fold 4 --depth 2 --out model
package main

import (
	"os"

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
