package cmd

import (
	"strings"
	"testing"
	"time"
)

// On a terminal a line is drawn over the last one, no wider than it is, and taken
// away; elsewhere lines follow each other.
func TestProgress(t *testing.T) {
	var out, screen strings.Builder
	long := time.Now().Add(-time.Minute)
	lines := &progress{out: &out, what: "cells", started: long, said: long, before: 10}
	drawn := &progress{screen: &screen, what: strings.Repeat("細胞", 40) + "\x1b[2J", started: long, said: long}
	for _, p := range []*progress{lines, drawn, nil} {
		p.at(40, 100, ", fold 3")
		p.at(41, 100, ", fold 3") // too soon
		p.end()
		p.end()
	}
	if got := out.String(); got != "cells, fold 3: 40%, 2m0s left\n" {
		t.Errorf("lines are %q", got)
	}
	parts := strings.Split(screen.String(), "\r")
	if len(parts) != 4 || parts[0] != "" || parts[3] != "" || !strings.HasPrefix(parts[1], "████████░░░░░░░░░░░░ 40%, 1m30s left 細胞") || strings.Trim(parts[2], " ") != "" || len(parts[2]) != 79 {
		t.Errorf("drawn is %q", parts)
	}
	if width := len(parts[1]) - 2*20 - strings.Count(parts[1], "細") - strings.Count(parts[1], "胞"); width > 79 { // in UTF-8 a block has 3 bytes and a wide character 3 of 2 columns
		t.Errorf("it is %d wide", width)
	}
}
