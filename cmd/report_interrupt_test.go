package cmd

import (
	"context"
	"errors"
	"testing"
)

// A report trains the networks of its first figure: where that is interrupted,
// so is the report.
func TestInterruptedReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := toyPanels(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is no interruption", err)
	}
}
