package cmd

import "testing"

// A time.Duration of more than three centuries would be negative.
func TestFormatDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0s", 61.4: "1m1s", 3e9: "833333h20m0s", 9.3e9: "295 years", 1e17: "3.17e+09 years",
	} {
		if got := formatDuration(seconds); got != want {
			t.Errorf("%v seconds are %s, want %s", seconds, got, want)
		}
	}
}
