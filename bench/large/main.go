// Program large reads a table as train does, for bench/large.sh, and prints how long it took.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"sml/data/read"
)

func main() {
	started := time.Now()
	t, err := read.File(context.Background(), os.Args[1], read.Options{Raw: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, "large:", err)
		os.Exit(1)
	}
	fmt.Printf("%.2f s, %d rows\n", time.Since(started).Seconds(), t.Rows())
}
