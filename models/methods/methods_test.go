package methods_test

import (
	"strings"
	"testing"

	"sml/internal/expect"
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
	if got, want := strings.Join(names, " "), "mc mc-ll sml pu pu-de de sml-de beta-nll crps student-t evidential mdn quantiles w-dropout mc-pu concrete bayes adv-de crps-de laplace-ll laplace-ll-diag laplace-kron laplace-diag swag swag-pu classes"; got != want {
		t.Errorf("methods %s, want %s", got, want)
	}
}

// The methods bayes and concrete need penalties of their own networks, and say so on another network.
func TestMethodsNameTheNetworkTheyNeed(t *testing.T) {
	for _, method := range []string{"bayes", "concrete"} {
		s := expect.Must(models.NewSpec(method, nil, models.Architecture{Network: "mlp", Inputs: 3, Targets: 1, Hidden: []int{4}}))
		expect.Error(t, s.Examine(1), "method "+method, "network mlp does not", "choose network "+method)
	}
}
