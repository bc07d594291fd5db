// Package networks holds networks, and the layers and activations that they are
// made of: one file each. To import it is to register the networks.
package networks

import "sml/models"

func init() {
	for _, n := range []models.Network{mlp, bayes, concrete} {
		models.RegisterNetwork(n)
	}
}
