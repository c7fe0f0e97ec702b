package body

import (
	"cmp"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Mod makes a modifier.
func Mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

// StatedEdges are the sources that the caller stated, for a target or for all.
func StatedEdges(list []*eventv1.Circumstance, target string) (edges []*eventv1.Edge, mods []*eventv1.Modifier) {
	for _, c := range list {
		if c.Target != "" && c.Target != target {
			continue
		}
		switch c.Direction {
		case "advantage", "disadvantage":
			edges = append(edges, &eventv1.Edge{Advantage: c.Direction == "advantage", Kind: c.Kind, Source: c.Cause,
				Rule: cite.DicePairwiseCancel, Stated: true})
		case "modifier":
			mods = append(mods, Mod(c.Value, cmp.Or(c.Cause, "as stated"), Fallback))
		}
	}
	return edges, mods
}
