// Package systems registers the rule systems of this build: adding one means
// adding it here. It must never hold rules of its own.
package systems

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic"
	"github.com/skaldrpg/skald/pkg/rules/celesia"
	"github.com/skaldrpg/skald/pkg/rules/original"
	"github.com/skaldrpg/skald/pkg/rules/rcr"
	"github.com/skaldrpg/skald/pkg/rules/spark"
)

// Registry holds every rule system of this build.
func Registry() *rules.Registry {
	r, err := rules.NewRegistry(basic.System{}, celesia.System{}, original.System{}, rcr.System{}, spark.System{})
	if err != nil {
		panic(err) // two systems of one id, or a broken embedded table: shown by every test
	}
	return r
}
