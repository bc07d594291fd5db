package main

import (
	"testing"

	"sml/trainers/check"
)

// The method passes the checks of "my-loss check my-loss".
func TestMethod(t *testing.T) { check.Test(t, "my-loss", nil) }
