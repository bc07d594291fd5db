package trainers

import (
	"fmt"
	"math"

	"sml/data"
	"sml/graph"
)

// Settings say how a network is trained. The zero value of a field is the
// default that its comment gives.
type Settings struct {
	Epochs       int       `json:"epochs"`        // passes over the training rows; default 1000
	Batch        int       `json:"batch"`         // rows of a step; default 100
	LearningRate float64   `json:"learning_rate"` // of Adam; default 0.001
	Schedule     Schedule  `json:"schedule"`      // of the learning rate; default Constant
	Adam         Adam      `json:"adam"`
	Clip         float64   `json:"clip"`       // largest norm of the whole gradient; default 0, no bound
	Decay        float64   `json:"decay"`      // decoupled weight decay; default 0
	Validation   float64   `json:"validation"` // share of the training rows that only choose the best epoch; default 0
	Patience     int       `json:"patience"`   // epochs without a better validation loss before stopping; default 0, never stop
	Members      int       `json:"members"`    // networks; default the method's
	Mode         data.Mode `json:"mode"`       // Paper drops the last partial batch of an epoch, Sound uses it; default Paper
	Seed         uint64    `json:"seed"`
	Split        string    `json:"split,omitempty"` // which split of a table, and which fold of it, is trained on:
	Fold         int       `json:"fold,omitempty"`  // randomness follows from both, see RandomSeed; default none

	Engine graph.Engine `json:"engine"` // default the first of graph.Engines
}

// withDefaults fills in what is zero and rejects what makes no sense.
func (s Settings) withDefaults() (Settings, error) {
	set := func(field *float64, value float64) {
		if *field == 0 {
			*field = value
		}
	}
	if s.Epochs == 0 {
		s.Epochs = 1000
	}
	if s.Batch == 0 {
		s.Batch = 100
	}
	if s.Mode == "" {
		s.Mode = data.Paper
	}
	if s.Schedule == "" {
		s.Schedule = Constant
	}
	set(&s.LearningRate, 0.001)
	set(&s.Adam.Beta1, 0.9)
	set(&s.Adam.Beta2, 0.999)
	set(&s.Adam.Epsilon, 1e-8)
	var err error
	if s.Engine, err = graph.ParseEngine(string(s.Engine)); err != nil {
		return s, err
	}
	if s.Schedule, err = ParseSchedule(string(s.Schedule)); err != nil {
		return s, err
	}
	finite := func(v float64) bool { return v >= 0 && v <= math.MaxFloat32 }
	for _, c := range []struct {
		name  string
		value any
		ok    bool
		want  string
	}{
		{"epochs", s.Epochs, s.Epochs > 0, "at least 1"},
		{"batch", s.Batch, s.Batch > 0, "at least 1"},
		{"learning rate", s.LearningRate, finite(s.LearningRate) && s.LearningRate > 0, "more than 0"},
		{"Adam's beta1", s.Adam.Beta1, s.Adam.Beta1 >= 0 && s.Adam.Beta1 < 1, "from 0 to less than 1"},
		{"Adam's beta2", s.Adam.Beta2, s.Adam.Beta2 >= 0 && s.Adam.Beta2 < 1, "from 0 to less than 1"},
		{"Adam's epsilon", s.Adam.Epsilon, finite(s.Adam.Epsilon) && s.Adam.Epsilon >= 1e-15, "at least 1e-15"},
		{"gradient clipping", s.Clip, finite(s.Clip), "more than 0, or 0 for none"},
		{"weight decay", s.Decay, finite(s.Decay), "at least 0"},
		{"share of validation rows", s.Validation, s.Validation >= 0 && s.Validation < 1, "from 0 to less than 1"},
		{"patience", s.Patience, s.Patience >= 0, "at least 0"},
		{"number of members", s.Members, s.Members >= 0, "at least 1"},
	} {
		if !c.ok {
			return s, fmt.Errorf("%s is %v: want %s", c.name, c.value, c.want)
		}
	}
	if s.Patience > 0 && s.Validation == 0 {
		return s, fmt.Errorf("patience %d needs a share of validation rows to judge epochs by", s.Patience)
	}
	return s, nil
}
