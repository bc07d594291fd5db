package data

import (
	"testing"
	"time"
)

// Expected dates are those of package time and of ISO 8601's own examples: week 1 of 2009 begins on 29 December 2008, and
// 2009 has a week 53.
func TestParseDate(t *testing.T) {
	for _, c := range []struct{ layout, text, want string }{
		{"2006-01-02 15:04:05-07", "2024-03-30 20:00:00+10", "2024-03-30 20:00:00"}, // the hour that is written
		{"2006-01-02T15:04:05Z07:00", "2024-03-30T20:00:00-05:00[America/New_York]", "2024-03-30 20:00:00"},
		{"Mon Jan _2 15:04:05 MST 2006", "Sat Mar 30 20:00:00 CET 2024", "2024-03-30 20:00:00"},
		{"2006-002", "2024-090", "2024-03-30 00:00:00"},
		{QuarterLayout, "2024-Q3", "2024-07-01 00:00:00"},
		{QuarterLayout, "2024q1", "2024-01-01 00:00:00"},
		{QuarterLayout, "2024-Q5", ""},
		{QuarterLayout, "Q3 2024", "2024-07-01 00:00:00"},
		{QuarterLayout, "Q4/2024", "2024-10-01 00:00:00"},
		{WeekDayLayout, "2008-W39-6", "2008-09-27 00:00:00"},
		{WeekDayLayout, "2009W537", "2010-01-03 00:00:00"},
		{WeekDayLayout, "2009-W53-8", ""},
		{"3:04PM", "08:00pm", "0000-01-01 20:00:00"},
		{"15.04.05", "3.14.15", ""},                            // a code
		{"2-Jan-2006", "30 march 2024", "2024-03-30 00:00:00"}, // a layout of an older model
		{"2 Jan 2006", "30/Mar/2024", "2024-03-30 00:00:00"},
		{"2 Jan 2006", "Saturday, 30th of March, 2024", "2024-03-30 00:00:00"},
		{"Jan 2 2006", "Sept. 2nd, 2024", "2024-09-02 00:00:00"},
		{"2006 Jan 2", "2024-Mar-30", "2024-03-30 00:00:00"},
		{"Jan 2 2006 3:04 PM", "March 30, 2024 at 8:00 p.m.", "2024-03-30 20:00:00"},
		{"2.1.2006 15:04", "30.03.2024, 20:00 Uhr", "2024-03-30 20:00:00"},
		{"2.1.2006", "30. 3. 2024.", "2024-03-30 00:00:00"},
		{"2006-1-2", "2024年3月30日", "2024-03-30 00:00:00"},
		{"2006-01-02 15-04-05", "2024-03-30_20-00-00", "2024-03-30 20:00:00"},
		{"2006-01-02T15:04:05", "2024-03-30t20:00:00", "2024-03-30 20:00:00"},
		{"2006-01-02 15:04:05 -0700", "2024-03-30 20:00:00.5 +0100 CET", "2024-03-30 20:00:00"},
		{"2006-01-02 15:04:05", "2024-03-30 20:00:00 Europe/Paris", "2024-03-30 20:00:00"},
		{"2 Jan 2006:15:04:05 -0700", "[30/Mar/2024:20:00:00 +0000]", "2024-03-30 20:00:00"},
		{"Mon, 2 Jan 2006 15:04:05 -0700", "Sat, 30 Mar 2024 20:00:00 +0100 (CET)", "2024-03-30 20:00:00"},
		{"2006-01-02 15:04:05 MST", "2024-02-24 12:00:00 GMT-8", "2024-02-24 12:00:00"},
		{"2006-01-02 15:04:05 MST", "2024-02-24 12:00:00 UTC+10", "2024-02-24 12:00:00"},
		{"2006-01-02 15:04:05 GMT-07:00", "2024-02-24 12:00:00 UTC+05:30", "2024-02-24 12:00:00"},
		{"Mon Jan 2 2006 15:04:05 GMT-0700", "Sat Jan 13 2024 07:04:00 GMT+0100 (CET)", "2024-01-13 07:04:00"},
		{"2006-01-02T15:04:05Z07:00", "2024-01-13T07:04:00−05:00", "2024-01-13 07:04:00"},
		{"1/2/2006, 3:04:05 PM", "01/13/2024, 07:04:00 PM", "2024-01-13 19:04:00"},
		{"2006-01-02 15:04", "2024-02-29 24:00", "2024-03-01 00:00:00"},
		{"2006-01-02T15:04:05Z07:00", "2024-12-31T24:00:00-05:00", "2025-01-01 00:00:00"},
		{"2006-01-02 15:04:05", "2024-12-31 24:00:01", ""},
		{WeekLayout, "2009-W01", "2008-12-29 00:00:00"},
		{WeekLayout, "2009-W53", "2009-12-28 00:00:00"},
		{WeekLayout, "2010-W53", ""},
		{WeekLayout, "2010-W00", ""},
	} {
		seconds, ok := ParseDate(c.layout, c.text)
		got := ""
		if ok {
			got = timeFromSeconds(seconds).Format(time.DateTime)
		}
		if got != c.want {
			t.Errorf("%s as %s is %q; want %q", c.text, c.layout, got, c.want)
		}
	}
	for layout, text := range map[string]string{QuarterLayout: "2024-Q3", WeekLayout: "2009-W53", WeekDayLayout: "2009-W53-7", "2006-01-02": "2024-02-29"} {
		seconds, _ := ParseDate(layout, text)
		if got := (Field{Kind: Date, Layout: layout}).Show(seconds); got != text {
			t.Errorf("%s is shown as %s", text, got)
		}
	}
}

// The offset is written, and the same on every computer.
func TestUTCOffset(t *testing.T) {
	for _, c := range []struct {
		layout, text string
		hours        float64
	}{
		{"2006-01-02T15:04:05Z07:00", "2024-01-13T07:04:00-05:30", -5.5},
		{"2006-01-02T15:04:05Z07:00", "2024-01-13T24:00:00+09:00", 9},
		{"2006-01-02 15:04:05 MST", "2024-02-24 12:00:00 UTC-8", -8},
		{"2006-01-02 15:04:05 MST", "2024-02-24 12:00:00 CET", 0},
		{"2006-01-02", "2024-02-24", 0},
		{WeekLayout, "2024-W09", 0},
	} {
		if got := UTCOffset(c.layout, c.text) / 3600; got != c.hours {
			t.Errorf("%s: %v hours; want %v", c.text, got, c.hours)
		}
	}
}

// A date is shown without the zone that its number does not tell.
func TestShownDatesHaveNoZone(t *testing.T) {
	for layout, want := range map[string]string{
		"2006-01-02T15:04:05Z07:00":        "2024-01-13T07:04:00",
		"2006-01-02 15:04:05-07":           "2024-01-13 07:04:00",
		"Mon Jan _2 15:04:05 MST 2006":     "Sat Jan 13 07:04:00 2024",
		"Mon Jan 2 2006 15:04:05 GMT-0700": "Sat Jan 13 2024 07:04:00",
	} {
		seconds := float64(time.Date(2024, 1, 13, 7, 4, 0, 0, time.UTC).Unix())
		if got := (Field{Kind: Date, Layout: layout}).Show(seconds); got != want {
			t.Errorf("%s is shown as %s; want %s", layout, got, want)
		}
	}
}
