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
	for _, c := range []struct {
		name     string
		value    float64
		from, to float64 // the range, its upper end excluded
	}{
		{"epochs", float64(s.Epochs), 1, math.MaxInt32},
		{"batch", float64(s.Batch), 1, math.MaxInt32},
		{"learning rate", s.LearningRate, math.SmallestNonzeroFloat32, math.Inf(1)},
		{"Adam's beta1", s.Adam.Beta1, 0, 1},
		{"Adam's beta2", s.Adam.Beta2, 0, 1},
		{"Adam's epsilon", s.Adam.Epsilon, 0, math.Inf(1)},
		{"gradient clipping", s.Clip, 0, math.Inf(1)},
		{"weight decay", s.Decay, 0, math.Inf(1)},
		{"share of validation rows", s.Validation, 0, 1},
		{"patience", float64(s.Patience), 0, math.MaxInt32},
		{"number of members", float64(s.Members), 0, math.MaxInt32},
	} {
		if !(c.value >= c.from && c.value < c.to) {
			return s, fmt.Errorf("%s is %v: want at least %v and less than %v", c.name, c.value, c.from, c.to)
		}
	}
	if s.Patience > 0 && s.Validation == 0 {
		return s, fmt.Errorf("patience %d needs a share of validation rows to judge epochs by", s.Patience)
	}
	return s, nil
}
