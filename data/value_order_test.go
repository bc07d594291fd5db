package data

import (
	"slices"
	"strings"
	"testing"
)

// Categories are sorted by their texts when they are read; tables and figures show them in the order of the calendar.
func TestSortValues(t *testing.T) {
	for _, c := range []struct{ categories, want string }{
		{"Apr,Aug,Dec,Feb,Jan", "Jan,Feb,Apr,Aug,Dec"},
		{"april,july,june,may,sept.", "april,may,june,july,sept."},
		{"Friday,Monday,Sunday,Thursday", "Monday,Thursday,Friday,Sunday"},
		{"Fri,Mon,Sat,Thurs,Tues", "Mon,Tues,Thurs,Fri,Sat"},
		{"10 am,12 am,1pm,9 am", "12 am,9 am,10 am,1pm"},
		{"0h,10h,5h", "0h,5h,10h"},
		{"Mar,May,other", "Mar,May,other"},
		{"fair,good,ideal", "fair,good,ideal"},
	} {
		f := Field{Kind: Category, Categories: strings.Split(c.categories, ",")}
		values := []float64{UnseenCategory}
		for i := range f.Categories {
			values = append(values, float64(i))
		}
		slices.Reverse(values)
		f.SortValues(values)
		var got []string
		for _, value := range values {
			if value != UnseenCategory {
				got = append(got, f.Show(value))
			}
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %s, want %s", c.categories, strings.Join(got, ","), c.want)
		}
	}
	numbers := []float64{10, 2, 1}
	Field{Kind: Number}.SortValues(numbers)
	if !slices.Equal(numbers, []float64{1, 2, 10}) {
		t.Error(numbers)
	}
}
