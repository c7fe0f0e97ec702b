// Package systems registers the rule systems of this build: adding one means
// adding it here. It must never hold rules of its own.
package systems

import (
	"maps"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic"
	"github.com/skaldrpg/skald/pkg/rules/celesia"
	"github.com/skaldrpg/skald/pkg/rules/original"
	"github.com/skaldrpg/skald/pkg/rules/rcr"
	"github.com/skaldrpg/skald/pkg/rules/spark"
)

// all are the systems by their ids.
func all() map[string]rules.System {
	return map[string]rules.System{"basic": basic.System{}, "celesia": celesia.System{}, "original": original.System{}, "rcr": rcr.System{}, "spark": spark.System{}}
}

// Registry holds every rule system of this build, with their tables checked.
func Registry() *rules.Registry {
	r, err := rules.NewRegistry(slices.Collect(maps.Values(all()))...)
	if err != nil {
		panic(err) // two systems of one id, or a broken embedded table: shown by every test
	}
	return r
}

// Lazy is Registry for a program that asks for one system and ends: the tables of each
// are checked when it is asked for.
func Lazy() *rules.Registry { return rules.NewLazyRegistry(all()) }
