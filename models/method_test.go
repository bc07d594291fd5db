package models_test

import (
	"testing"

	"sml/internal/expect"
	"sml/models"
)

func TestParseHyperparameters(t *testing.T) {
	got, err := models.ParseHyperparameters([]string{"beta=0.7", "through=true", "gamma=1e-3"})
	if err != nil || got["beta"] != 0.7 || got["through"] != true || got["gamma"] != 1e-3 {
		t.Errorf("%v, %v", got, err)
	}
	expect.Error(t, expect.ErrorOf(models.ParseHyperparameters([]string{"a=1", "a=2"})), "a is set twice")
}
