package optimizer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
	"sml/models"
	"sml/trainers/optimizer"
)

// start returns a new state of an optimizer with the chosen hyperparameters and otherwise its
// defaults.
func start(t *testing.T, o optimizer.Optimizer, chosen models.Hyperparameters, weights int, groups ...optimizer.Group) optimizer.State {
	t.Helper()
	h := expect.Must(o.Choose(chosen))
	s := expect.Must(o.Start(h, weights, groups...))
	return s
}

// withoutDecay returns hyperparameters with which the optimizer has no decay of its own.
func withoutDecay(o optimizer.Optimizer) models.Hyperparameters {
	if o.HasOwnDecay() {
		return models.Hyperparameters{"decay": 0}
	}
	return nil
}

// bowl returns ½ Σ cᵢ wᵢ² with curvatures c of ½, 1 and 2, and writes its gradient to grad.
func bowl(w, grad []float32) (loss float64) {
	for i := range w {
		c := float32(int(1)<<(i%3)) / 2
		grad[i] = c * w[i]
		loss += float64(grad[i]) * float64(w[i]) / 2
	}
	return loss
}

// bowlBatch is the batch whose loss is bowl of the weights w.
type bowlBatch struct {
	w    []float32
	grad []float32 // memory for Loss
}

func newBowl(w []float32) *bowlBatch { return &bowlBatch{w, make([]float32, len(w))} }

func (b *bowlBatch) Loss() float64 { return bowl(b.w, b.grad) }

func (b *bowlBatch) Gradient(grad []float32) float64 { return bowl(b.w, grad) }

func (b *bowlBatch) HessianVector(product, v []float32) { bowl(v, product) } // the gradient of bowl is linear

// flatBatch is the batch whose loss is 0 at all weights.
type flatBatch struct{}

func (flatBatch) Loss() float64 { return 0 }

func (flatBatch) Gradient(grad []float32) float64 {
	clear(grad)
	return 0
}

func (flatBatch) HessianVector(product, v []float32) { clear(product) }

// useBatch lets the state compute with a batch if it asks for one.
func useBatch(s optimizer.State, b optimizer.Batch) {
	for _, user := range optimizer.Rules[optimizer.BatchUser](s) {
		user.UseBatch(b)
	}
}

// initialWeights returns the weights before the first step.
func initialWeights() []float32 { return []float32{1, -2, 0.5, -0.25, 3, 1e-3, -1} }

// Every registered optimizer passes the same tests.
func TestConformance(t *testing.T) {
	for _, o := range optimizer.All() {
		t.Run(o.Name, func(t *testing.T) {
			if o.Title == "" || o.Summary == "" || o.Source == "" {
				t.Error("it has no title, summary or source")
			}
			for _, h := range o.Hyperparameters {
				if h.Help == "" {
					t.Errorf("%s has no help", h.Name)
				}
			}
			t.Run("descends", func(t *testing.T) { checkDescends(t, o) })
			t.Run("resumes", func(t *testing.T) { checkResumes(t, o) })
			t.Run("groups", func(t *testing.T) { checkGroups(t, o) })
			t.Run("groups resume", func(t *testing.T) { checkResumes(t, o, groups...) })
			t.Run("stands still", func(t *testing.T) { checkStandsStill(t, o) })
			t.Run("decays", func(t *testing.T) { checkDecays(t, o) })
			t.Run("allocates nothing", func(t *testing.T) {
				w, grad := initialWeights(), make([]float32, len(initialWeights()))
				s, step := start(t, o, nil, len(w)), 0
				useBatch(s, newBowl(w))
				if n := testing.AllocsPerRun(100, func() {
					bowl(w, grad)
					step++
					s.Step(w, grad, optimizer.StepInfo{Step: step, Rate: 0.01, Decay: 0.1})
				}); n != 0 {
					t.Errorf("%v allocations a step", n)
				}
			})
		})
	}
}

// checkDescends checks that 1000 steps divide the loss by more than 100.
func checkDescends(t *testing.T, o optimizer.Optimizer) {
	w, grad := initialWeights(), make([]float32, len(initialWeights()))
	s, first := start(t, o, nil, len(w)), bowl(w, grad)
	useBatch(s, newBowl(w))
	for step := range 1000 {
		bowl(w, grad)
		s.Step(w, grad, optimizer.StepInfo{Step: step + 1, Rate: 0.01})
	}
	if last := bowl(w, grad); !(last < first/100) {
		t.Errorf("%v became %v in 1000 steps", first, last)
	}
}

// checkResumes checks that a state with the slots of another state makes the same steps.
func checkResumes(t *testing.T, o optimizer.Optimizer, groups ...optimizer.Group) {
	w, grad := initialWeights(), make([]float32, len(initialWeights()))
	a, b := start(t, o, nil, len(w), groups...), start(t, o, nil, len(w), groups...)
	steps := func(s optimizer.State, w []float32, from, to int) {
		useBatch(s, newBowl(w))
		for step := from; step < to; step++ {
			bowl(w, grad)
			s.Step(w, grad, optimizer.StepInfo{Step: step, Steps: 40, Epoch: step / 2, Epochs: 20, Rate: 0.01 / float64(step), Decay: 0.1})
		}
	}
	steps(a, w, 1, 10)
	copied := slices.Clone(w)
	steps(b, slices.Clone(initialWeights()), 1, 3) // what it did before does not matter
	from, to := a.Slots(), b.Slots()
	if len(from) != len(to) {
		t.Fatalf("%d slots, and %d", len(from), len(to))
	}
	for i, slot := range from {
		if slot.Name != to[i].Name || copy(to[i].Values, slot.Values) != len(slot.Values) {
			t.Fatalf("slot %d is %q of %d numbers, and %q of %d", i, slot.Name, len(slot.Values), to[i].Name, len(to[i].Values))
		}
	}
	steps(a, w, 10, 20)
	steps(b, copied, 10, 20)
	if !slices.Equal(w, copied) || slices.Equal(w, initialWeights()) {
		t.Errorf("%v, and resumed %v", w, copied)
	}
}

// groups leave the third and the last weight out. Weight decay applies to the first and
// the last group.
var groups = []optimizer.Group{{From: 0, To: 2, Rate: 1, Decay: true}, {From: 3, To: 5, Rate: 0.1}, {From: 5, To: 6, Rate: 0.1, Decay: true}}

// checkGroups checks that each group moves as if it were trained alone with its learning rate and
// decay, and that weights in no group do not move. It leaves out gradient transforms, which see all
// weights.
func checkGroups(t *testing.T, o optimizer.Optimizer) {
	o.Transforms = nil
	w, grad := initialWeights(), make([]float32, len(initialWeights()))
	want := initialWeights()
	together, parts := start(t, o, nil, len(w), groups...), make([]optimizer.State, len(groups))
	for i, g := range groups {
		parts[i] = start(t, o, nil, g.To-g.From)
	}
	for step := range 20 {
		at := optimizer.StepInfo{Step: step + 1, Rate: 0.01, Decay: 0.1}
		bowl(w, grad)
		for i, g := range groups {
			own := at
			own.Rate *= g.Rate
			if !g.Decay {
				own.Decay = 0
			}
			parts[i].Step(want[g.From:g.To], slices.Clone(grad[g.From:g.To]), own)
		}
		together.Step(w, grad, at)
	}
	if !slices.Equal(w, want) || slices.Equal(w, initialWeights()) {
		t.Errorf("%v, and each group by itself %v", w, want)
	}
}

// checkStandsStill checks that weights do not move without a gradient or at a rate of 0.
func checkStandsStill(t *testing.T, o optimizer.Optimizer) {
	w, grad := initialWeights(), make([]float32, len(initialWeights()))
	s := start(t, o, withoutDecay(o), len(w))
	useBatch(s, flatBatch{})
	s.Step(w, grad, optimizer.StepInfo{Step: 1, Rate: 0.1})
	if !slices.Equal(w, initialWeights()) {
		t.Errorf("without a gradient: %v", w)
	}
	bowl(w, grad)
	s = start(t, o, nil, len(w))
	useBatch(s, newBowl(w))
	s.Step(w, grad, optimizer.StepInfo{Step: 1, Decay: 0.1})
	if !slices.Equal(w, initialWeights()) {
		t.Errorf("at a rate of 0: %v", w)
	}
}

// checkDecays checks that decay is decoupled: without a gradient, a step multiplies each weight by
// 1 − rate × decay.
func checkDecays(t *testing.T, o optimizer.Optimizer) {
	w, grad := initialWeights(), make([]float32, len(initialWeights()))
	s := start(t, o, withoutDecay(o), len(w))
	useBatch(s, flatBatch{})
	for step := range 2 {
		s.Step(w, grad, optimizer.StepInfo{Step: step + 1, Rate: 0.1, Decay: 0.5})
	}
	for i, before := range initialWeights() {
		if want := 0.95 * 0.95 * float64(before); math.Abs(float64(w[i])-want) > 2e-7*math.Abs(want) {
			t.Errorf("%v became %v, want %v", before, w[i], want)
		}
	}
}

func TestChoose(t *testing.T) {
	sgd := lookup(t, "sgd")
	for _, c := range []struct {
		chosen models.Hyperparameters
		want   string
	}{
		{models.Hyperparameters{"momentum": math.NaN()}, "SGD's momentum is NaN"},
		{models.Hyperparameters{"momentum": "linear(0,0.9,0.5)"}, `SGD's momentum is "linear(0,0.9,0.5)": want a number`},
		{models.Hyperparameters{"nesterov": 2}, "nesterov=2: want true or false"},
	} {
		expect.Error(t, expect.ErrorOf(sgd.Choose(c.chosen)), c.want)
	}
	h, err := sgd.Choose(models.Hyperparameters{"momentum": 0.0})
	if v, ok := h["momentum"]; err != nil || !ok || v != 0.0 {
		t.Errorf("a momentum of 0 became %v, %v", h, err)
	}
}

// slots is a State with slots and without steps.
type slots []optimizer.Slot

func (s slots) Slots() []optimizer.Slot                            { return s }
func (slots) Step(values, grad []float32, info optimizer.StepInfo) {}

// Slots that a checkpoint could not hold are an error before a training.
func TestSlotsAreChecked(t *testing.T) {
	one := []float32{0}
	for _, s := range []slots{
		{{Name: "", Values: one}}, {{Name: "a"}}, {{Name: "a", Values: one}, {Name: "a", Values: one}},
		{{Name: "a", Values: make([]float32, 3*optimizer.MaxSlots+1)}},
	} {
		o := optimizer.Optimizer{Name: "slots", New: func(models.Hyperparameters, int) optimizer.State { return s }}
		expect.Error(t, expect.ErrorOf(o.Start(nil, 3)), "optimizer slots")
	}
}

func TestMistakesInRegistration(t *testing.T) {
	made := func(models.Hyperparameters, int) optimizer.State { return slots{} }
	for want, o := range map[string]optimizer.Optimizer{
		"has no New":       {Name: "a"},
		"registered twice": {Name: "adam", New: made},
		`b is "c"`:         {Name: "a", New: made, Hyperparameters: []models.Hyperparameter{{Name: "b", Default: "c"}}},
		"learning rate is": {Name: "a", New: made, LearningRate: 2},
		"the default b=2":  {Name: "a", New: made, Hyperparameters: []models.Hyperparameter{{Name: "b", Default: 2, Range: models.Range{Min: 0, Max: 1}}}},
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, want) {
					t.Errorf("%q, want %q", p, want)
				}
			}()
			optimizer.Register(o)
		}()
	}
}
