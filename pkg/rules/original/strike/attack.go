package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// AttackTitle is the title of an attack; a command with the parameter throw has its
// own.
func AttackTitle(at *play.At) string {
	if at.Truth("throw") {
		return "Throw, even from near"
	}
	return at.Action.Title
}

// Throws are the throws of weapons that strike from near as well, where somebody near
// can be thrown at. They stand apart from the blows, because one may be
// allowed at a foe where the other is not.
func Throws(at *play.At) []*eventv1.Option {
	v := SightOf(at)
	if v.noTurn() != nil {
		return nil
	}
	var list []*eventv1.Option
	for _, w := range v.weapons() {
		if !body.Ranged(w) || v.WeaponRefused(w) != nil {
			continue
		}
		if slices.ContainsFunc(v.foes(), func(id string) bool {
			foe := at.State.Creatures[id]
			melee, _ := body.ReachOf(v.C, foe, w, nil)
			return melee && v.attackRefused(foe, w, aThrow) == nil
		}) {
			list = append(list, at.Of(at.Action, &eventv1.TakeAction{Creature: v.C.Id, Action: at.Action.ID, Item: w.Name, Parameters: aThrow.Parameters}).Option())
		}
	}
	return list
}

// aThrow is a command that throws a weapon.
var aThrow = &eventv1.TakeAction{Parameters: &structpb.Struct{Fields: map[string]*structpb.Value{"throw": structpb.NewBoolValue(true)}}}

// AttackFields are the choices of one who strikes with a weapon. A command may say
// all of them: what is wrong with it then the rules say.
func AttackFields(at *play.At) []play.Field {
	switch {
	case !at.Listing:
		return append(BlowFields(at), play.Field{Name: "throw"})
	case at.Truth("throw"):
		return throwFields
	}
	return BlowFields(at)
}

// throwFields are the choices of one who throws a weapon from near.
var throwFields = []play.Field{{Name: "throw", Required: true, True: true}, {Name: "subdue"}}

// BlowFields are the choices of one who strikes, by weapon.
func BlowFields(at *play.At) []play.Field {
	list := append(at.FieldList(), play.Field{Name: "subdue"})
	if w := WeaponAt(at); !at.Listing || w.Kind == "hand" {
		list = append(list, play.Field{Name: "pull"})
	}
	return append(list, SwashFields(at)...)
}

// SwashFields are the choices of one who may fight by DEX.
//
// original.attack.melee-swashbuckler-dex
func SwashFields(at *play.At) []play.Field {
	switch {
	case at.Listing && !swashbuckler(at.State, at.Actor, WeaponAt(at)):
		return nil
	case at.Action.ID == "attack" || at.Action.ID == "charge" || at.Action.ID == "backstab":
		return byAbility
	}
	return byAbility[:1]
}

var byAbility = []play.Field{{Name: "to_hit"}, {Name: "damage"}}

// RefuseWeapon says why nobody can be attacked with a weapon now.
func RefuseWeapon(at *play.At) error { return SightOf(at).WeaponRefused(WeaponAt(at)) }

// RefuseAttack says why a foe cannot be attacked.
func RefuseAttack(at *play.At, t *eventv1.Creature) error {
	return SightOf(at).attackRefused(t, WeaponAt(at), at.Take)
}

// AttackRefused says why an attack may not be made: first what holds of any target.
func AttackRefused(made *effects.Book, s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	v := See(s, c)
	v.content = made
	if err := v.WeaponRefused(w); err != nil {
		return err
	}
	return v.attackRefused(target, w, take)
}

// WeaponRefused says why nobody can be attacked with a weapon now.
func (v *Sight) WeaponRefused(w *eventv1.OriginalWeapon) error {
	switch {
	case body.Dropped(v.C, w):
		return v.Refuse("DROPPED", cite.FumbleTable, "%s lies on the ground", w.Name)
	case !body.Usable(v.C, w):
		return v.Refuse("NO_SPACE", cite.EquipmentTightSpace, "there is no room for %s", w.Name)
	case body.Has(v.C, body.CondStruggling) && !body.Natural(w):
		return v.Refuse("STRUGGLING", cite.GrappleTieStruggling, "%s cannot use a weapon in a hold", v.C.Name)
	}
	return v.barred()
}

// attackRefused says why a foe may not be attacked with a weapon that serves.
func (v *Sight) attackRefused(target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	s, c := v.S, v.C
	switch {
	case target.Side == c.Side:
		return v.Refuse("NO_FOE", cite.AttackRoll, "there is no foe to attack")
	case body.Dead(target):
		return v.Refuse("DEAD", cite.DeathZeroHp, "%s is dead", target.Name)
	}
	if cover, _ := spoken.Number(take.GetFacts(), "cover"); cover >= 100 {
		return v.Refuse("COVER", cite.AttackCover, "%s is wholly covered", target.Name)
	}
	melee, band := body.ReachOf(c, target, w, take)
	if err := body.TooSwift(c); err != nil && (melee || !body.FiresOnTheRun(c, w)) {
		return err
	}
	if err := v.attacks().Refused(target, w, melee); err != nil {
		return err
	}
	if melee {
		if d := body.FeetTo(c, target, take); w.Kind == "whip" && d > body.MeleeFeet {
			return body.Refuse("OUT_OF_REACH", cite.EquipmentWhipReach, "%s is %d feet away, a whip reaches 10", target.Name, d)
		}
		return v.tables().meleeRefused(v.Unread, s, c, target, take)
	}
	return v.missileRefused(target, w, band, take)
}

// meleeRefused says why a foe cannot be struck at in melee, unless that is unread.
func (k *Tables) meleeRefused(unread bool, s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) error {
	d := body.FeetTo(c, target, take)
	switch {
	case d > body.MeleeFeet:
		return play.RefuseUnless(unread, "OUT_OF_REACH", cite.MovementInMeleeDefinition, "%s is %s feet away", target.Name, body.Itoa(d))
	case body.Apart(c, target):
		return play.RefuseUnless(unread, "OBSTACLE", cite.MovementInMeleeDefinition, "an obstacle separates %s and %s", c.Name, target.Name)
	}
	return k.SurroundRefused(s, c, target)
}

// SurroundRefused says whether there is room for one more attacker.
//
// original.attack.surround-limit, original.attack.surround-size
func (k *Tables) SurroundRefused(s *eventv1.State, c, target *eventv1.Creature) error {
	return k.crowded(s, target, c.Id)
}

// crowded says whether there is room for those who come besides the others who attack.
//
// original.attack.surround-limit, original.attack.surround-size
func (k *Tables) crowded(s *eventv1.State, target *eventv1.Creature, coming ...string) error {
	limit, ok := k.Surround[target.Size]
	if !ok {
		limit = k.Surround["man"]
	}
	n := int32(0)
	// order-free: they are counted
	for id, other := range s.Creatures {
		if !slices.Contains(coming, id) && other.Side != target.Side && body.AttackingNow(s, other) == target.Id && Able(s, other) {
			n++
		}
	}
	if n+int32(len(coming)) > limit {
		return body.Refuse("NO_ROOM", cite.AttackSurroundLimit, "%d already stand round %s, who leaves room for %d", n, target.Name, limit)
	}
	return nil
}

func (v *Sight) missileRefused(target *eventv1.Creature, w *eventv1.OriginalWeapon, band string, take *eventv1.TakeAction) error {
	if !body.Ranged(w) {
		return v.Refuse("OUT_OF_REACH", cite.MovementInMeleeDefinition, "%s is out of reach of %s", target.Name, w.Name)
	}
	if band != "short" && band != "medium" && band != "long" {
		return v.Refuse("OUT_OF_RANGE", cite.AttackRangeBands, "%s is out of the range of %s", target.Name, w.Name)
	}
	if near := v.Engaged(); len(near) > 0 && (body.Missile(w) || !slices.Contains(near, target.Id)) {
		return v.Refuse("ENGAGED", cite.MovementHalfMoveAndAttack, "%s is in melee", v.C.Name)
	}
	// original.movement.in-melee-definition: a foe so near as it is stated is in melee too.
	if d := body.FeetTo(v.C, target, take); body.Missile(w) && d >= 0 && d <= body.MeleeFeet && !body.Out(target) && !body.Apart(v.C, target) {
		return v.Refuse("ENGAGED", cite.MovementHalfMoveAndAttack, "%s is in melee", v.C.Name)
	}
	return body.Loading(v.C, w)
}

// BlowOf is the blow that a command strikes.
func BlowOf(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) *Blow {
	return NewBlow(s, c, s.Creatures[take.Targets[0]], body.WeaponOf(c, take.Item), take)
}

// CountAttack spends one attack of the round.
func CountAttack(r *rules.Resolution, b *Blow) {
	r.Set(b.Attacker.Id, body.CAttacks, r.Count(b.Attacker.Id, body.CAttacks)+1, "attack", cite.AttackMultiVsNormalMen)
	if b.Target.Marks[body.MNormal] == "" || !b.Melee || b.Weapon.Untrained {
		r.Set(b.Attacker.Id, body.CStrong, r.Count(b.Attacker.Id, body.CStrong)+1, "this round", cite.AttackMultiVsNormalMen)
	}
	if b.Weapon.Kind == "crossbow" {
		r.Set(b.Attacker.Id, body.CLoading+b.Weapon.Name, 2, "shot", cite.AttackCrossbowEveryOtherRound)
	}
	if !b.Melee && body.FiresOnTheRun(b.Attacker, b.Weapon) {
		r.Set(b.Attacker.Id, body.CRunShots, r.Count(b.Attacker.Id, body.CRunShots)+1, "this round", reach.RunRule(b.Attacker))
	}
	b.Attacker = r.Creature(b.Attacker.Id)
}

// Superior tells whether one has a superior reach over another with whom it
// was not in melee before this round.
//
// original.equipment.reach-table
func (k *Tables) Superior(s *eventv1.State, a, over *eventv1.Creature) bool {
	if m := rules.RelationTo(a, body.RelMet, over.Id); m != nil && m.Round != s.Round {
		return false
	}
	return k.ReachRank(body.InHand(a))-k.ReachRank(body.InHand(over)) >= int32(body.Defaults.Number(s, body.SetReach))
}
