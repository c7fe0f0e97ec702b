package basic

import (
	"strings"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// opening is a chance to strike that is not one's own action, or one's action taken
// early.
type opening struct {
	label, decision, cause, rule string
	// weapons to choose from.
	weapons []*eventv1.BasicWeapon
	// flat: those that have a flat may be used with it.
	flat bool
}

// hidden is what the facts of a move say of how well the mover is seen; that counts
// for the blows that the move gives others.
//
// basic.attack.cover-kinds
func hidden(facts *structpb.Struct) *structpb.Struct {
	v, stated := facts.GetFields()["concealment"]
	if !stated {
		return nil
	}
	return &structpb.Struct{Fields: map[string]*structpb.Value{"concealment": v}}
}

// unseen tells whether the facts of a move hide the mover altogether.
//
// basic.attack.cover-table
func unseen(facts *structpb.Struct) bool {
	share, _ := spoken.Number(facts, "concealment")
	return share >= 100
}

// choose asks which attack is made, and whether with the flat of the blade; nil for
// none.
//
// basic.attack.subdual-flat
func (o opening) choose(r *rules.Resolution, c *eventv1.Creature) (w *eventv1.BasicWeapon, flat bool) {
	d := &eventv1.Decision{Name: o.decision, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: o.cause,
		Question: "Strike, and with what?", DefaultOption: decideNo, Rule: o.rule}
	for _, w := range o.weapons {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "weapon:" + w.Name, Text: w.Name, Rule: o.rule})
	}
	for _, w := range o.weapons {
		if o.flat && hasFlat(w) {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: "flat:" + w.Name, Text: w.Name + ", with the flat", Rule: cite.AttackSubdualFlat})
		}
	}
	d.Options = append(d.Options, &eventv1.DecisionOption{Id: decideNo, Text: "No"})
	how, name, _ := strings.Cut(r.Ask(o.label, d).GetOption(), ":")
	if how != "weapon" && how != "flat" {
		return nil, false
	}
	return weaponOf(c, name), how == "flat"
}
