package read

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"sml/data"
)

// This file finds the few layouts that a date may have by its shape, since to try all of hundreds takes long.

// layoutsByShape returns the layouts of dates by the shapes of their dates, in the order of dateLayouts.
var layoutsByShape = sync.OnceValue(func() map[string][]string {
	byShape := make(map[string][]string)
	for _, layout := range dateLayouts() {
		if slices.Contains(variableShapes, layout) {
			continue
		}
		seen := make(map[string]bool)
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 2*60*60), time.FixedZone("CEST", 2*60*60), time.FixedZone("GMT+2", 2*60*60)} {
			shape := dateShape(time.Date(2006, time.January, 2, 15, 4, 5, 0, zone).Format(layout))
			if !seen[shape] {
				byShape[shape] = append(byShape[shape], layout)
			}
			seen[shape] = true
		}
	}
	return byShape
})

// variableShapes are layouts whose dates have several shapes, or another one than package time writes.
var variableShapes = []string{data.QuarterLayout, data.WeekLayout, data.WeekDayLayout, data.UnixSeconds, data.UnixMillis}

// layoutsLike returns the layouts in which a text may be a date.
func layoutsLike(text string) []string {
	if len(text) > maxDateText {
		return nil
	}
	layouts := layoutsByShape()[dateShape(text)]
	return append(layouts[:len(layouts):len(layouts)], variableShapes...)
}

// maxDateText is a length in bytes that no date exceeds.
const maxDateText = 80

// secondsDecimals matches seconds with decimals, which no layout has. After a point they are milliseconds and the like, and
// no year.
var secondsDecimals = regexp.MustCompile(`(:[0-9]{2})[.,][0-9]+|(\.[0-9]{2})\.([0-9]{3}|[0-9]{6}|[0-9]{9})\b`)

// dateShape returns the shape that all dates of a layout share: each run of digits becomes 0, each run of letters a, and each
// run of blanks one blank. Decimals of seconds, the name of a time zone in brackets and the sign of its offset make no
// difference.
func dateShape(text string) string {
	text = data.PlainDate(text)
	if strings.ContainsAny(text, ".,") {
		text = secondsDecimals.ReplaceAllString(text, "$1$2")
	}
	shape := make([]byte, 0, len(text))
	for i := range len(text) {
		c := shapeByte(text[i])
		isRun := len(shape) > 0 && shape[len(shape)-1] == c && (c == '0' || c == 'a' || c == ' ')
		if !isRun {
			shape = append(shape, c)
		}
	}
	return string(shape)
}

// shapeByte returns the character of a shape for a byte of a date.
func shapeByte(c byte) byte {
	letter := c | 0x20 // in lower case
	switch {
	case '0' <= c && c <= '9':
		return '0'
	case 'a' <= letter && letter <= 'z':
		return 'a'
	case c == '+':
		return '-'
	}
	return c
}
