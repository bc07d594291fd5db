package chart

import (
	"fmt"
	"testing"

	"sml/internal/expect"
)

func TestMethodMarksAreDistinct(t *testing.T) {
	methods := []string{"mc", "mc-ll", "de", "pu", "pu-de", "sml"}
	for i := range otherMarks {
		methods = append(methods, fmt.Sprintf("β = %d", i))
	}
	markers := expect.Must(MethodMarks(methods))
	for i := range markers {
		for j := range i {
			if fmt.Sprint(markers[i]) == fmt.Sprint(markers[j]) {
				t.Errorf("%s and %s have the same marker", methods[i], methods[j])
			}
		}
	}
	expect.Error(t, expect.ErrorOf(MethodMarks(append(methods, "one more"))), `no marker is left for method "one more"`)
}
