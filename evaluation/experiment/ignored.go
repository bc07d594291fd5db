package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"sml/evaluation/calibrate"
	"sml/models"
)

// WhyIgnored returns why a training with these settings does not read the setting, such as "method pu drops no units". It
// returns "" if the training reads the setting, or if there is no such method.
func (s Setting) WhyIgnored(settings Settings) string {
	method, err := models.Lookup(settings.Spec.Method)
	if err != nil || s.Ignored == nil {
		return ""
	}
	return s.Ignored(settings, method)
}

// CheckRead returns an error if the training does not read one of the settings with these keys: its value would do
// nothing. The method and the network must be set. Keys of no setting are ignored.
func (s Settings) CheckRead(keys []string) error {
	for _, setting := range ListSettings() {
		if !slices.Contains(keys, setting.Key) {
			continue
		}
		if reason := setting.WhyIgnored(s); reason != "" {
			return fmt.Errorf("%s does nothing: %s", setting.Key, reason)
		}
	}
	return nil
}

// ResolveChosen returns the settings with the defaults of a table's recipe, and all other defaults, and the defaults of the
// recipe. It returns an error if a chosen setting does nothing, or as Recipe.Complete and Resolve do.
func (r Recipe) ResolveChosen(s Settings) (resolved Settings, defaults []Default, err error) {
	s, defaults, err = r.Complete(s)
	if err != nil {
		return s, nil, err
	}
	if err := s.CheckRead(s.chosen); err != nil {
		return s, nil, err
	}
	resolved, err = s.Resolve()
	return resolved, defaults, err
}

// dropsNoUnits is the Setting.Ignored of the dropout probability. Methods drop units in some layers unless the settings
// choose others.
func dropsNoUnits(s Settings, m models.Method) string {
	if reason := hasNoDropout(s, m); reason != "" {
		return reason
	}
	network, err := s.Spec.Network()
	switch {
	case err == nil && network.DrawsWeights:
		return fmt.Sprintf("network %s draws weights and drops no units", network.Name)
	case s.Spec.Architecture.Drop == models.NoLayers:
		return "no layer drops units"
	}
	return ""
}

// decaysNoWeights is the Setting.Ignored of the weight decay.
func decaysNoWeights(s Settings, m models.Method) string {
	network, err := s.Spec.Network()
	layers := cmp.Or(s.Spec.Architecture.Drop, m.DropLayers)
	if err == nil && network.DrawsWeights && layers == models.AllLayers {
		return fmt.Sprintf("all weights of network %s are drawn, and drawn weights have no decay", network.Name)
	}
	return ""
}

// hasNoDropout is the Setting.Ignored of the layers with dropout.
func hasNoDropout(s Settings, m models.Method) string {
	switch {
	case m.DropLayers == models.NoLayers:
		return fmt.Sprintf("method %s drops no units", m.Name)
	case len(s.Spec.Architecture.Hidden) == 0:
		return "a linear model has no hidden units to drop"
	}
	return ""
}

// hasNoSubNetworks is the Setting.Ignored of settings about sub-networks.
func hasNoSubNetworks(s Settings, m models.Method) string {
	if m.UsesSubNetworks() || s.Prediction.Mode == SubNetworkMode {
		return ""
	}
	return fmt.Sprintf("method %s has no sub-networks", m.Name)
}

// hasNoIntervals is the Setting.Ignored of the coverage that a calibration is for.
func hasNoIntervals(s Settings, m models.Method) string {
	kind := cmp.Or(s.Calibration.Kind, calibrate.DefaultKind(m.PredictsClasses()))
	if kind == calibrate.DefaultKind(true) {
		return "the calibration of classes has no intervals"
	}
	return ""
}
