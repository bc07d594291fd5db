package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"sml/data"
	"sml/graph"
	"sml/internal/rowset"
	"sml/internal/safetensors"
)

// checkColumnNames returns an error if two inputs, two targets, or an input and a target have the same
// name. Empty names stand for unknown names and are not compared.
func checkColumnNames(inputs, targets []string) error {
	kindByName := make(map[string]string, len(inputs)+len(targets))
	for i, name := range slices.Concat(inputs, targets) {
		kind := "input"
		if i >= len(inputs) {
			kind = "target"
		}
		switch other := kindByName[name]; {
		case name == "":
		case other == "":
			kindByName[name] = kind
		case other == kind:
			return fmt.Errorf("two %ss are named %q", kind, name)
		default:
			return fmt.Errorf("a %s and an %s are both named %q", kind, other, name)
		}
	}
	return nil
}

// Model is a trained model: one network, or the members of an ensemble. Save writes it, Load reads it.
// Fields of the type json.RawMessage hold one JSON object each, whose form the program that writes it
// decides.
//
// The order of the fields with a name in JSON is their order in model.json.
type Model struct {
	Spec `json:"-"` // model.json has it in front of all fields

	Inputs  data.Scalers `json:"inputs"`  // columns and scales of the inputs, in the order of the network's inputs
	Targets data.Scalers `json:"targets"` // columns and scales of the targets

	// Labels are the labels of each target's classes; nil if the targets are numbers, or classes
	// without labels.
	Labels [][]string `json:"labels,omitempty"`

	// Preparation describes how the inputs are made from the columns of a table; nil if the inputs are
	// columns of the table.
	Preparation json.RawMessage `json:"preparation,omitempty"`

	// Ranges describe the values of the table's input columns in the training rows, in the order of the
	// table; nil if they are not known.
	Ranges []ColumnRange `json:"ranges,omitempty"`

	// Calibration corrects the predicted distributions; nil if there is no calibration.
	Calibration json.RawMessage `json:"calibration,omitempty"`

	// CalibrationRows are the rows that the calibration was fitted to, or a random sample; nil if there is no
	// calibration, or if it has no scores. Load leaves it nil: see LoadCalibrationRows.
	CalibrationRows *CalibrationRows `json:"-"`

	// Parent is the model whose weights the training started from; nil if the initial weights were
	// random.
	Parent *Parent `json:"parent,omitempty"`

	// A record of the training, for readers and for repeating it. Nothing here changes a prediction.
	Data     json.RawMessage `json:"data,omitempty"`          // training rows
	Training json.RawMessage `json:"training,omitempty"`      // settings and seed
	Choice   json.RawMessage `json:"method_choice,omitempty"` // how the training chose its method; nil if it had no choice

	// EndReasons holds, for each member, the reason why a program ended its training early, or "". It is nil
	// if no training was ended early.
	EndReasons []string `json:"ended,omitempty"`

	Versions json.RawMessage `json:"versions,omitempty"` // versions of the program and of the platform
	Scores   json.RawMessage `json:"scores,omitempty"`   // scores after the training; nil if the model was not evaluated

	// TrainingRows are the rows that the weights depend on, including the parent's training rows; nil if
	// they are not known. Load leaves it nil: see LoadTrainingRows.
	TrainingRows *rowset.Set `json:"-"`

	History History         `json:"-"` // losses of the training; empty after Load: see LoadHistory
	Members []*graph.Params `json:"-"` // weights of each member

	// Stored holds, for each member, the matrices that Method.AfterTraining stored; nil if the method
	// stores none.
	Stored [][]Matrix `json:"-"`
}

// MemberMatrices returns the matrices that are stored for a member, or nil if there are none.
func (m *Model) MemberMatrices(member int) []Matrix {
	if m.Stored == nil {
		return nil
	}
	return m.Stored[member]
}

// SubNetworks returns the sub-networks that are stored for a member.
func (m *Model) SubNetworks(member int) SubNetworks { return findSubNetworks(m.MemberMatrices(member)) }

// Label returns the label of a class of a target, or the number of the class if it has no label.
func (m *Model) Label(target, class int) string {
	if m.Labels == nil || class >= len(m.Labels[target]) {
		return strconv.Itoa(class)
	}
	return m.Labels[target][class]
}

// Parent identifies the model that a training started from.
type Parent struct {
	Model   string `json:"model"`          // directory, as the user wrote it
	Weights string `json:"weights_sha256"` // result of Model.WeightsSum
}

// WeightsSum returns the SHA-256, in hexadecimal, of the file of weights that Save writes.
func (m *Model) WeightsSum() (string, error) {
	sum := sha256.New()
	if err := safetensors.Write(sum, memberTensors(m.Members)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// MaskSeed returns the seed of the dropout masks of a member's sub-networks in predictions with the
// given seed. Different seeds and members have different mask seeds.
func (m *Model) MaskSeed(seed uint64, member int) uint64 {
	return graph.Seed(seed, maskStream, uint64(member))
}

// maskStream is the stream of the masks in predictions. No training uses it.
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
