package report

import (
	"fmt"
	"testing"
)

func TestMarkersOfAreDistinct(t *testing.T) {
	methods := []string{"MC", "mc-ll", "DE", "pu", "PU-DE", "sml"}
	for i := range furtherMarkers {
		methods = append(methods, fmt.Sprintf("β = %d", i))
	}
	markers, err := markersOf(methods)
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
	_, err = markersOf(append(methods, "one more"))
	wantError(t, err, `no marker is left for method "one more"`)
}
