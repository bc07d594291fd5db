package main

import (
	"testing"

	"sml/trainers/check"
)

func TestMethod(t *testing.T) { check.Test(t, "faithful", nil) }
