package data

import "context"

// ctx is that of tests which nothing interrupts.
var ctx = context.Background()
