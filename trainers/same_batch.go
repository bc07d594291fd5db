package trainers

import (
	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// sameBatch computes with the batch of a member's present step again, for an optimizer that is a BatchUser. It has
// compiled objectives of its own, because a step's outputs are read after the optimizer has moved the weights.
type sameBatch struct {
	member   *member
	steps    map[int]*models.Step        // compiled objective, by number of rows
	hessians map[int]*models.HessianStep // compiled Hessian-vector product, by number of rows

	step *models.Step // step of the member, which has run on the present batch
	rows int          // number of rows of the batch
	err  error        // first error since begin; nil if there is none
}

// begin sets the batch of the present step, which has run on the given number of rows. A nil sameBatch does nothing.
func (b *sameBatch) begin(step *models.Step, rows int) {
	if b == nil {
		return
	}
	b.step = step
	b.rows = rows
	b.err = nil
}

// stepError returns the first error of the methods of optimizer.Batch since begin.
func (b *sameBatch) stepError() error {
	if b == nil {
		return nil
	}
	return b.err
}

// close releases the compiled objectives. A nil sameBatch has none.
func (b *sameBatch) close() {
	if b == nil {
		return
	}
	for _, s := range b.steps {
		s.Close()
	}
	for _, s := range b.hessians {
		s.Close()
	}
	clear(b.steps)
	clear(b.hessians)
}

// Loss returns the loss of the batch before the step.
func (b *sameBatch) Loss() float64 { return float64(b.step.Loss()) }

// Gradient returns the loss of the batch at the present weights, and writes its gradient to grad: see optimizer.Batch.
func (b *sameBatch) Gradient(grad []float32) (loss float64) {
	loss, err := b.gradient(grad)
	if b.err == nil {
		b.err = err
	}
	return loss
}

// gradient is Gradient with an error.
func (b *sameBatch) gradient(grad []float32) (loss float64, err error) {
	step, err := b.member.compiledStep(b.steps, b.rows, b.member.spec.NewStep)
	if err != nil {
		return 0, err
	}
	step.CopyBatch(b.step)
	if err := step.Runner.Run(); err != nil {
		return 0, err
	}
	copy(grad, step.Gradient())
	clearBufferGradients(b.member.params, grad)
	if clip := b.member.optimizer.groups[0].clip; clip != nil { // without parameter groups, there is one
		clip.Apply(b.member.params.Float32s(), grad, optimizer.StepInfo{})
	}
	return float64(step.Loss()), nil
}

// HessianVector writes to product the Hessian of the batch's loss at the present weights times v: see optimizer.Batch.
func (b *sameBatch) HessianVector(product, v []float32) {
	err := b.hessianVector(product, v)
	if b.err == nil {
		b.err = err
	}
}

// hessianVector is HessianVector with an error.
func (b *sameBatch) hessianVector(product, v []float32) (err error) {
	step := b.hessians[b.rows]
	if step == nil {
		step, err = b.member.spec.NewHessianStep(b.member.settings.Engine, b.member.params, b.rows)
		if err != nil {
			return err
		}
		b.hessians[b.rows] = step
		if err := b.member.prepareStep(step.Step); err != nil {
			return err
		}
	}
	step.CopyBatch(b.step)
	if err := step.Product(product, v); err != nil {
		return err
	}
	clearBufferGradients(b.member.params, product)
	return nil
}

// clearBufferGradients sets the gradient of buffers to 0: they are not trained, and no gradient norm counts
// them.
func clearBufferGradients(params *graph.Params, grad []float32) {
	for i, p := range params.List() {
		if p.Buffer {
			clear(graph.ParamValues(params, grad, i))
		}
	}
}
