package check

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/models"
)

// checkedCopies is the number of copies with which checkCopies compares a network without copies, as many
// as tabm has by default: a shift by fewer rows of the batch then meets a row's own copy.
const checkedCopies = 8

// checkCopies notes an objective that mixes or compares a row with its own copy. On a network with copies, a batch
// has each row once for each copy, in succession: the row before is then often the same row, and a mixture of
// the two is no mixture. Each row should influence as many other rows of each copy as it does without copies. There
// is no finding if it does, or if the method cannot be trained on a network with copies.
func (s *subject) checkCopies() Findings {
	spec, err := s.withCopies(checkedCopies)
	if err == nil {
		_, err = spec.Loss(graph.New(graph.Float64, new(graph.Params)), smallBatchRows)
	}
	if err != nil {
		return nil
	}
	alone := s.countInfluenced(must(s.withCopies(1)))
	copied := s.countInfluenced(spec)
	for row, count := range copied {
		if count != checkedCopies*alone[row] {
			return oneFinding(Noted, "on a network with %d copies (%s), a row has an effect on %d other rows of the batch, and without copies on %d: %d were expected; a batch has the copies of a row in succession, and a row is mixed or compared with its own copy: take other rows by Task.ShiftRows",
				checkedCopies, spec.Architecture.Network, count, alone[row], checkedCopies*alone[row])
		}
	}
	return nil
}

// withCopies returns the spec on a network with this number of copies: the method's, or the first registered network
// that has copies. It returns an error if there is none, or if the method cannot be trained on it.
func (s *subject) withCopies(copies int) (models.Spec, error) {
	own, err := s.spec.Network()
	if err != nil {
		return models.Spec{}, err
	}
	for _, n := range append([]models.Network{own}, models.Networks()...) {
		if n.Copies == 0 {
			continue
		}
		a := s.spec.Architecture
		return models.NewSpec(s.spec.Method, s.spec.Hyperparameters, models.Architecture{
			Network: n.Name,
			Inputs:  a.Inputs,
			Targets: a.Targets,
			Classes: a.Classes,
			Hidden:  a.Hidden,
			Dropout: a.Dropout,
			Copies:  copies,
		})
	}
	return models.Spec{}, fmt.Errorf("no registered network has copies")
}

// countInfluenced returns, for each row of a small batch, on how many rows of the batch other than its own copies it
// has an effect: a change of the row changes an input of the network there, or the gradient of an output.
func (s *subject) countInfluenced(spec models.Spec) []int {
	p := newProbe(spec)
	defer p.close()
	batchRows := smallBatchRows * spec.Architecture.CopyCount()
	var watched graph.Nodes // with a row for each row of the batch
	loss := p.addLoss(func(x *graph.Node, f models.Forward) models.Forward {
		if x.Shape()[0] == batchRows {
			watched = append(watched, x)
		}
		return p.addToOutputs(f)
	})
	gradients := p.Gradients(loss)
	for i, parameter := range p.params.List() {
		if strings.HasPrefix(parameter.Name, addedParameter) && parameter.Rows == batchRows {
			watched = append(watched, gradients[i])
		}
	}
	p.compile(watched...)
	counts := make([]int, smallBatchRows)
	for row := range counts {
		for _, isInfluenced := range p.findInfluenced(row, batchRows, s.seed) {
			if isInfluenced {
				counts[row]++
			}
		}
	}
	return counts
}

// findInfluenced reports for each row of the batch whether a value of the compiled nodes in it changes with the given
// row of the table, for any of several draws. The copies of this row itself do not count.
func (p *probe) findInfluenced(row, batchRows int, seed uint64) []bool {
	influenced := make([]bool, batchRows)
	for draw := seed; draw < seed+gradientDraws; draw++ {
		p.draw(draw)
		p.setRow(row, 1)
		before := p.run()
		p.setRow(row, -1)
		for i, after := range p.run() {
			columns := len(after) / batchRows
			for j, v := range after {
				copies := batchRows / smallBatchRows
				other := j / columns
				if v != before[i][j] && other/copies != row {
					influenced[other] = true
				}
			}
		}
	}
	return influenced
}

// setRow sets the inputs and targets of a row to typical values for a drawn number.
func (p *probe) setRow(row int, drawn float64) {
	for _, name := range []string{models.InputX, models.InputY} {
		values := p.runner.Input64(name)
		columns := len(values) / smallBatchRows
		for i := row * columns; i < (row+1)*columns; i++ {
			values[i] = p.spec.TypicalInput(name, i, drawn)
		}
	}
}
