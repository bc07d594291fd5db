package cluster

import (
	"regexp"
	"strings"
	"testing"
)

func TestJobName(t *testing.T) {
	labelDNS := regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`) // label of RFC 1123
	for study, want := range map[string]string{
		"/a/grid":                        "sml-grid-0123abcd",
		"/a/My grid (2)":                 "sml-my-grid--2-0123abcd",
		"/a/größe":                       "sml-gr--e-0123abcd",
		"/":                              "sml-0123abcd",
		"/a/" + strings.Repeat("x-", 99): "sml-" + strings.Repeat("x-", 15) + "x-0123abcd",
	} {
		got := jobName(study, strings.Repeat("0123abcd", 8))
		if got != want || !labelDNS.MatchString(got+"-99999") {
			t.Errorf("%s: %q, want %q", study, got, want)
		}
	}
}
