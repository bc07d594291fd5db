// Package schema holds the manifests of package cluster to the types of the
// Kubernetes API. It is a module of its own, so that the program's does not require
// the API's seventeen modules.
package schema
