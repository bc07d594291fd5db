package check_test

import (
	"testing"

	"golang.org/x/sync/errgroup"

	_ "sml/examples/plain"
	"sml/trainers/check"
)

// Checks at the same time say what a check alone says. Run with -race.
func TestChecksAtTheSameTime(t *testing.T) {
	var found [2]string
	var group errgroup.Group
	for i := range found {
		group.Go(func() error {
			r, err := check.Method("plain", check.Settings{Seed: 3})
			found[i] = r.String()
			if err == nil && !r.Passed() {
				t.Errorf("%s", r)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if found[0] != found[1] {
		t.Errorf("two checks of one method differ:\n%s\n%s", found[0], found[1])
	}
}
