// Package networks holds the built-in networks and the layers and activations that they are made
// of, one file each. Start with mlp.go, the network that most methods train, and dense.go, its
// layer. The package does not train: importing it registers the networks with package models, and
// the layers can be used in any objective or network.
package networks

import "sml/models"

// init registers the networks in the order in which lists show them.
func init() {
	for _, n := range []models.Network{mlp, bayes, concrete, tabM, realMLP} {
		models.RegisterNetwork(n)
	}
}
