package order

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Opening is a chance to strike that is not one's own action, or one's action taken
// early.
type Opening struct {
	Label, Decision, Cause, Rule string
	// Foe is whom it is against.
	Foe string
	// Weapons to choose from.
	Weapons []*eventv1.BasicWeapon
	// Flat: those that have a flat may be used with it.
	Flat bool
}

// Hidden is what the facts of a move say of how well the mover is seen; that counts
// for the blows that the move gives others.
//
// basic.attack.cover-kinds
func Hidden(facts *structpb.Struct) *structpb.Struct {
	v, stated := facts.GetFields()["concealment"]
	if !stated {
		return nil
	}
	return &structpb.Struct{Fields: map[string]*structpb.Value{"concealment": v}}
}

// Unseen tells whether the facts of a move hide the mover altogether.
//
// basic.attack.cover-table
func Unseen(facts *structpb.Struct) bool {
	share, _ := spoken.Number(facts, "concealment")
	return share >= 100
}

// Choose asks which attack is made, and whether with the flat of the blade; nil for
// none.
//
// basic.attack.subdual-flat
func (o Opening) Choose(r *rules.Resolution, c *eventv1.Creature) (w *eventv1.BasicWeapon, flat bool) {
	d := &eventv1.Decision{Name: o.Decision, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: o.Cause,
		Question: "Strike, and with what?", DefaultOption: body.DecideNo, Rule: o.Rule, Against: []string{o.Foe}}
	for _, w := range o.Weapons {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "weapon:" + w.Name, Text: w.Name, Rule: o.Rule})
	}
	for _, w := range o.Weapons {
		if o.Flat && HasFlat(w) {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: "flat:" + w.Name, Text: w.Name + ", with the flat", Rule: cite.AttackSubdualFlat})
		}
	}
	d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.DecideNo, Text: "No"})
	how, name, _ := strings.Cut(r.Ask(o.Label, d).GetOption(), ":")
	if how != "weapon" && how != "flat" {
		return nil, false
	}
	return body.WeaponOf(c, name), how == "flat"
}
