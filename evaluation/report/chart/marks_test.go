package chart

import (
	"fmt"
	"strings"
	"testing"
)

func TestMethodMarksAreDistinct(t *testing.T) {
	methods := []string{"mc", "mc-ll", "de", "pu", "pu-de", "sml"}
	for i := range otherMarks {
		methods = append(methods, fmt.Sprintf("β = %d", i))
	}
	markers, err := MethodMarks(methods)
	if err != nil {
		t.Fatal(err)
	}
	for i := range markers {
		for j := range i {
			if fmt.Sprint(markers[i]) == fmt.Sprint(markers[j]) {
				t.Errorf("%s and %s have the same marker", methods[i], methods[j])
			}
		}
	}
	_, err = MethodMarks(append(methods, "one more"))
	if err == nil || !strings.Contains(err.Error(), `no marker is left for method "one more"`) {
		t.Errorf("error is %v", err)
	}
}
