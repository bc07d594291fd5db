package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"sml/data"
	"sml/graph"
	"sml/internal/rowset"
	"sml/internal/safetensors"
)

// CheckColumnNames returns an error if a target has the name of an input, or two inputs or
// two targets have one name: a table has each name once. Empty names are not compared.
func CheckColumnNames(inputs, targets []string) error {
	used := make(map[string]string, len(inputs)+len(targets))
	for _, group := range []struct {
		as    string
		names []string
	}{{"input", inputs}, {"target", targets}} {
		for _, name := range group.names {
			if name == "" { // the names are not known
				continue
			}
			switch as := used[name]; as {
			case "":
				used[name] = group.as
			case group.as:
				return fmt.Errorf("two %ss are named %q", as, name)
			default:
				return fmt.Errorf("a %s and an %s are both named %q", group.as, as, name)
			}
		}
	}
	return nil
}

// Model is a trained model: one network, or the members of an ensemble.
type Model struct {
	Spec
	Inputs  data.Scalers // in the order of the network's inputs
	Targets data.Scalers

	// Labels are the labels of each target's classes; nil if the targets are numbers, or classes
	// without labels.
	Labels [][]string

	// Preparation says how the inputs are made from a table's columns, as a JSON object whose
	// form its writer decides; nil if the inputs are columns of the table.
	Preparation json.RawMessage

	// What the input columns of the table held in the training rows, in their order
	// there; nil: it is not known.
	Ranges []ColumnRange

	// What corrects its predictions, one JSON object that its writer decides on; nil:
	// they are as they are.
	Calibration json.RawMessage

	// What the model came from, kept for the reader and for whoever wants to
	// repeat it: each is one JSON object that its writer decides on.
	Data     json.RawMessage // which rows it was trained on
	Training json.RawMessage // settings and seed
	Versions json.RawMessage // of this program and what computed it
	Scores   json.RawMessage // if it was judged after training

	// Ended has, for each member, the reason why a program ended its training before its
	// settings would have, or ""; nil if no training was ended so.
	Ended []string

	Parent *Parent // model whose weights the training began with; nil if the weights were drawn from the seed

	// Rows that decided the weights, including the parent's training rows; nil if they are
	// not known. Load does not read them.
	TrainingRows *rowset.Set

	History History
	Members []*graph.Params
	Stored  [][]Matrix // matrices of each member that Method.AfterTraining stored; nil if there are none
}

// StoredOf returns the stored matrices of a member, or nil if there are none.
func (m *Model) StoredOf(member int) []Matrix {
	if m.Stored == nil {
		return nil
	}
	return m.Stored[member]
}

// SubNetworks returns the sub-networks that the model stores for a member.
func (m *Model) SubNetworks(member int) SubNetworks { return SubNetworksOf(m.StoredOf(member)) }

// Label returns the label of a class of a target: its number if the classes have no labels.
func (m *Model) Label(target, class int) string {
	if m.Labels == nil || class >= len(m.Labels[target]) {
		return strconv.Itoa(class)
	}
	return m.Labels[target][class]
}

// Parent identifies a model that a training began with.
type Parent struct {
	Model   string `json:"model"`          // directory, as it was given
	Weights string `json:"weights_sha256"` // Model.WeightsSum
}

// WeightsSum returns the SHA-256 of the file of weights that Save writes.
func (m *Model) WeightsSum() (string, error) {
	sum := sha256.New()
	if err := safetensors.Write(sum, memberTensors(m.Members)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// MaskSeed returns the seed of the dropout masks of a member's sub-networks in predictions.
// No two pairs of seed and member share it.
func (m *Model) MaskSeed(seed uint64, member int) uint64 {
	return graph.Seed(seed, maskStream, uint64(member))
}

// maskStream tells the masks of predictions from those of trainings.
const maskStream = 1 << 34

// memberTensors returns the parameters of every member as tensors named "members.N.NAME".
func memberTensors(members []*graph.Params) []safetensors.Tensor {
	var tensors []safetensors.Tensor
	for k, params := range members {
		for i, p := range params.List() {
			tensors = append(tensors, safetensors.Tensor{
				Name:   fmt.Sprintf("members.%d.%s", k, p.Name),
				Shape:  []int{p.Rows, p.Columns},
				Values: graph.ParamValues(params, params.Float32s(), i),
			})
		}
	}
	return tensors
}
