package methods_test

import (
	"strings"
	"testing"

	"sml/models"
)

func TestMethodsAreInOrder(t *testing.T) {
	var names []string
	for _, m := range models.Methods() {
		names = append(names, m.Name)
		if m.Summary == "" || m.Source == "" {
			t.Errorf("%s has no summary or source", m.Name)
		}
	}
	if got, want := strings.Join(names, " "), "mc mc-ll sml pu pu-de de sml-de beta-nll crps student-t evidential mdn quantiles w-dropout mc-pu concrete bayes adv-de classes"; got != want {
		t.Errorf("methods %s, want %s", got, want)
	}
}
