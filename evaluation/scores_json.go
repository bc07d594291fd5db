package evaluation

import (
	"encoding/json"
	"math"
)

// scoresJSON is Scores as it is stored. JSON has no NaN and no infinity, so
// both are stored as null.
type scoresJSON struct {
	RMSE *float64 `json:"rmse"`
	NLL  *float64 `json:"nll"`
	ECE  *float64 `json:"ece"`
	WS   *float64 `json:"ws"`
	KS   *float64 `json:"ks"`
	R2   *float64 `json:"r2"`
	MAE  *float64 `json:"mae"`
}

// MarshalJSON writes an object with the keys rmse, nll, ece, ws, ks, r2 and
// mae, in this order. A NaN or infinite score is written as null.
func (s Scores) MarshalJSON() ([]byte, error) {
	return json.Marshal(scoresJSON{
		RMSE: finiteOrNil(s.RMSE),
		NLL:  finiteOrNil(s.NLL),
		ECE:  finiteOrNil(s.ECE),
		WS:   finiteOrNil(s.WS),
		KS:   finiteOrNil(s.KS),
		R2:   finiteOrNil(s.R2),
		MAE:  finiteOrNil(s.MAE),
	})
}

// UnmarshalJSON reads what MarshalJSON writes. A score that is null or
// absent becomes NaN, so that it is never mistaken for a perfect zero.
func (s *Scores) UnmarshalJSON(text []byte) error {
	var stored scoresJSON
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	*s = Scores{
		RMSE: valueOrNaN(stored.RMSE),
		NLL:  valueOrNaN(stored.NLL),
		ECE:  valueOrNaN(stored.ECE),
		WS:   valueOrNaN(stored.WS),
		KS:   valueOrNaN(stored.KS),
		R2:   valueOrNaN(stored.R2),
		MAE:  valueOrNaN(stored.MAE),
	}
	return nil
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func valueOrNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
