package original

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func attackActions() []*play.Action {
	return []*play.Action{
		{ID: "attack", Title: "Attack", Rule: cite.AttackRoll, Group: play.GroupAttack, Traits: traitExtra | traitHeld, Costs: anAttack, Least: 1, Most: 1,
			Items: armed(nil), Candidates: foesAt, Further: throws, Names: attackTitle, Refuse: refuseWeapon, RefuseTarget: refuseAttack,
			Fields: attackFields, Check: mannerRefused, Do: deed(doAttack)},
		{ID: "backstab", Title: "Backstab: strike unnoticed from behind", Rule: cite.AttackBackstabFirstOnly, Group: play.GroupAttack, Traits: traitExtra,
			Costs: anAttack, Least: 1, Most: 1, Items: armed(func(w *eventv1.OriginalWeapon) bool { return !missile(w) && w.Kind != "hand" }), Candidates: foesAt,
			Refuse: refuseBackstabber, RefuseTarget: refuseBackstab, Fields: swashFields, Check: mannerRefused, Do: deed(doBackstab)},
		{ID: "shortcut", Title: "Count kills instead of rolling", Rule: setShortcut, Group: play.GroupAttack, Least: 1, Most: rules.MaxCreatures,
			Candidates: foesAt, Refuse: asSeen(refuseCounting), RefuseTarget: refuseCounted, Do: deed(doShortcut)},
		{ID: "parry", Title: "Parry", Rule: cite.ActionParry, Group: play.GroupDefend, Anytime: true, Refuse: asSeen(parryRefused), Do: deed(doParry)},
	}
}

func attackTitle(at *play.At) string {
	if at.Truth("throw") {
		return "Throw, even from near"
	}
	return at.Action.Title
}

// throws are the throws of weapons that strike from near as well, where somebody near
// can be thrown at. They stand apart from the blows, because one may be
// allowed at a foe where the other is not.
func throws(at *play.At) []*eventv1.Option {
	v := sightOf(at)
	if at.State.Status != eventv1.State_STATUS_STARTED || v.noTurn() != nil {
		return nil
	}
	var list []*eventv1.Option
	for _, w := range v.weapons() {
		if missile(w) || !ranged(w) || v.weaponRefused(w) != nil {
			continue
		}
		if slices.ContainsFunc(v.foes(), func(id string) bool {
			foe := at.State.Creatures[id]
			melee, _ := reachOf(v.c, foe, w, nil)
			return melee && v.attackRefused(foe, w, aThrow) == nil
		}) {
			list = append(list, at.Of(at.Action, &eventv1.TakeAction{Creature: v.c.Id, Action: at.Action.ID, Item: w.Name, Parameters: aThrow.Parameters}).Option())
		}
	}
	return list
}

// aThrow is a command that throws a weapon.
var aThrow = &eventv1.TakeAction{Parameters: &structpb.Struct{Fields: map[string]*structpb.Value{"throw": structpb.NewBoolValue(true)}}}

// attackFields are the choices of one who strikes with a weapon. A command may say
// all of them: what is wrong with it then the rules say.
func attackFields(at *play.At) []play.Field {
	switch {
	case !at.Listing:
		return append(blowFields(at), play.Field{Name: "throw"})
	case at.Truth("throw"):
		return throwFields
	}
	return blowFields(at)
}

// throwFields are the choices of one who throws a weapon from near.
var throwFields = []play.Field{{Name: "throw", Required: true, True: true}, {Name: "subdue"}}

// blowFields are the choices of one who strikes, by weapon.
func blowFields(at *play.At) []play.Field {
	list := []play.Field{{Name: "subdue"}}
	if w := weaponAt(at); !at.Listing || w.Kind == "hand" {
		list = append(list, play.Field{Name: "pull"})
	}
	return append(list, swashFields(at)...)
}

// swashFields are the choices of one who may fight by DEX.
//
// original.attack.melee-swashbuckler-dex
func swashFields(at *play.At) []play.Field {
	switch {
	case at.Listing && !swashbuckler(at.State, at.Actor, weaponAt(at)):
		return nil
	case at.Action.ID == "attack" || at.Action.ID == "charge" || at.Action.ID == "backstab":
		return byAbility
	}
	return byAbility[:1]
}

var byAbility = []play.Field{{Name: "to_hit"}, {Name: "damage"}}

// refuseWeapon says why nobody can be attacked with a weapon now.
func refuseWeapon(at *play.At) error { return sightOf(at).weaponRefused(weaponAt(at)) }

// refuseAttack says why a foe cannot be attacked.
func refuseAttack(at *play.At, t *eventv1.Creature) error {
	return sightOf(at).attackRefused(t, weaponAt(at), at.Take)
}

// attackRefused says why an attack may not be made, at nobody if the target is
// nil: first what holds of any target.
func attackRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	v := see(s, c)
	if err := v.weaponRefused(w); err != nil {
		return err
	}
	return v.attackRefused(target, w, take)
}

// weaponRefused says why nobody can be attacked with a weapon now.
func (v *sight) weaponRefused(w *eventv1.OriginalWeapon) error {
	switch {
	case dropped(v.c, w):
		return refuse("DROPPED", cite.FumbleTable, "%s lies on the ground", w.Name)
	case !usable(v.c, w):
		return refuse("NO_SPACE", cite.EquipmentTightSpace, "there is no room for %s", w.Name)
	case has(v.c, condStruggling) && !natural(w):
		return refuse("STRUGGLING", cite.GrappleTieStruggling, "%s cannot use a weapon in a hold", v.c.Name)
	}
	return v.barred()
}

// attackRefused says why a foe may not be attacked with a weapon that serves.
func (v *sight) attackRefused(target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	s, c := v.s, v.c
	switch {
	case target == nil || target.Id == c.Id || target.Side == c.Side:
		return refuse("NO_FOE", cite.AttackRoll, "there is no foe to attack")
	case dead(target):
		return refuse("DEAD", cite.DeathZeroHp, "%s is dead", target.Name)
	}
	if cover, _ := spoken.Number(take.GetFacts(), "cover"); cover >= 100 {
		return refuse("COVER", cite.AttackCover, "%s is wholly covered", target.Name)
	}
	melee, band := reachOf(c, target, w, take)
	if err := tooSwift(c); err != nil && (melee || !firesOnTheRun(c, w)) {
		return err
	}
	if err := countRefused(s, c, target, w, melee); err != nil {
		return err
	}
	if melee {
		if d := feetTo(c, target, take); w.Kind == "whip" && d > meleeFeet {
			return refuse("OUT_OF_REACH", cite.EquipmentWhipReach, "%s is %d feet away, a whip reaches 10", target.Name, d)
		}
		return meleeRefused(s, c, target, take)
	}
	return v.missileRefused(target, w, band)
}

// countRefused says whether the round's attacks are spent, those that come
// last held back for the end of the round.
//
// original.attack.multi-vs-normal-men, original.initiative.fighters-first-and-last
func countRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, melee bool) error {
	used := int32(c.Counters[cAttacks])
	strong := c.Counters[cStrong] > 0
	many := attacksAgainstNormal(s, c)
	normal := melee && !w.Untrained && target.Marks[mNormal] != ""
	segment := s.Phase == segFirst || s.Phase == segLast
	switch {
	case !normal && segment:
		return refuse("NORMAL_MEN_ONLY", cite.InitiativeFightersFirstAndLast, "the %s attack is one of several against Normal Men", s.Phase)
	case !normal && !melee && used > 0:
		return refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "missile attacks are not multiplied")
	case !normal && used > 0 && !strong, !normal && used >= attacksAgainstStrong(s, c):
		return refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has no attack left against such a foe", c.Name)
	case normal && strong && used >= attacksAgainstStrong(s, c), normal && used >= many:
		return refuse("NO_ATTACK", cite.AttackMultiVsNormalMen, "%s has no attack left", c.Name)
	case normal && !strong && firstAndLast(s, c) && s.Phase != segLast && s.Round > 0 && used >= many-1:
		return refuse("LAST_ATTACK", cite.InitiativeFightersFirstAndLast, "the last attack falls at the end of the round")
	}
	return nil
}

// firstAndLast tells whether a creature's attacks fall first and last in the round.
//
// original.initiative.fighters-first-and-last
func firstAndLast(s *eventv1.State, c *eventv1.Creature) bool {
	return fighterType(c) && attacksAgainstNormal(s, c) >= 2
}

func meleeRefused(s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) error {
	d := feetTo(c, target, take)
	switch {
	case d > meleeFeet:
		return refuse("OUT_OF_REACH", cite.MovementInMeleeDefinition, "%s is %d feet away", target.Name, d)
	case apart(c, target):
		return refuse("OBSTACLE", cite.MovementInMeleeDefinition, "an obstacle separates %s and %s", c.Name, target.Name)
	}
	return surroundRefused(s, c, target)
}

// surroundRefused says whether there is room for one more attacker.
//
// original.attack.surround-limit, original.attack.surround-size
func surroundRefused(s *eventv1.State, c, target *eventv1.Creature) error {
	limit, ok := book.surround[target.Size]
	if !ok {
		limit = book.surround["man"]
	}
	n := int32(0)
	// order-free: they are counted
	for id, other := range s.Creatures {
		if id != c.Id && other.Side != target.Side && able(s, other) && attackingNow(s, other) == target.Id && inMelee(other, target) {
			n++
		}
	}
	if n >= limit {
		return refuse("NO_ROOM", cite.AttackSurroundLimit, "%d already stand round %s", n, target.Name)
	}
	return nil
}

func (v *sight) missileRefused(target *eventv1.Creature, w *eventv1.OriginalWeapon, band string) error {
	if !ranged(w) {
		return refuse("OUT_OF_REACH", cite.MovementInMeleeDefinition, "%s is out of reach of %s", target.Name, w.Name)
	}
	if band != "short" && band != "medium" && band != "long" {
		return refuse("OUT_OF_RANGE", cite.AttackRangeBands, "%s is out of the range of %s", target.Name, w.Name)
	}
	if near := v.engaged(); len(near) > 0 && (missile(w) || !slices.Contains(near, target.Id)) {
		return refuse("ENGAGED", cite.MovementHalfMoveAndAttack, "%s is in melee", v.c.Name)
	}
	return loading(v.c, w)
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	deliver(r, blowOf(r.State(), c, take), take.Action, nil)
	return nil
}

// blowOf is the blow that a command strikes.
func blowOf(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) *blow {
	return newBlow(s, c, s.Creatures[take.Targets[0]], weaponOf(c, take.Item), take)
}

// deliver carries out an attack of the attacker's own turn: a longer reach
// comes first, the attack is spent, the blow is struck and takes effect. What
// comes of a hit beside its damage is found by then; nil for nothing.
func deliver(r *rules.Resolution, b *blow, action string, then func(w *wound)) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: b.attacker.Id, Action: action, Targets: []string{b.target.Id}, Item: b.weapon.Name})
	if b.melee && reachFirst(r, b) {
		return
	}
	countAttack(r, b)
	if b.backstab {
		r.Set(b.attacker.Id, cBackstabs, r.Count(b.attacker.Id, cBackstabs)+1, "this round", cite.AttackBackstabFirstOnly)
	}
	stray(r, b)
	w := strike(r, b)
	if w != nil && then != nil {
		then(w)
	}
	layOrHold(r, w)
	if r.State().Phase == segFirst || r.State().Phase == segLast {
		finishTurn(r, b.attacker.Id)
	}
}

// countAttack spends one attack of the round.
func countAttack(r *rules.Resolution, b *blow) {
	r.Set(b.attacker.Id, cAttacks, r.Count(b.attacker.Id, cAttacks)+1, "attack", cite.AttackMultiVsNormalMen)
	if b.target.Marks[mNormal] == "" || !b.melee || b.weapon.Untrained {
		r.Set(b.attacker.Id, cStrong, r.Count(b.attacker.Id, cStrong)+1, "this round", cite.AttackMultiVsNormalMen)
	}
	if b.weapon.Kind == "crossbow" {
		r.Set(b.attacker.Id, cLoading+b.weapon.Name, 2, "shot", cite.AttackCrossbowEveryOtherRound)
	}
	if !b.melee && firesOnTheRun(b.attacker, b.weapon) {
		r.Set(b.attacker.Id, cRunShots, r.Count(b.attacker.Id, cRunShots)+1, "this round", runRule(b.attacker))
	}
	b.attacker = r.Creature(b.attacker.Id)
}

// reachFirst lets a target with a superior reach strike first in the first
// melee round of the two; it tells whether the attacker is out of the fight by it.
//
// original.initiative.reach-first-strike
func reachFirst(r *rules.Resolution, b *blow) bool {
	s, t := r.State(), b.target
	w := inHand(t)
	// original.charge.longer-reach-first: a spear or pike that is charged needs no
	// more than one rank.
	charged := b.charge && canSet(w) && reachRank(w) > reachRank(b.weapon) && !surprised(t)
	if s.Round == 0 || b.position == "behind" || !superior(s, t, b.attacker) && !charged || has(b.attacker, condHasted) && !has(t, condHasted) || !able(s, t) ||
		attackRefused(openPhase(s), t, b.attacker, w, atHand()) != nil || has(t, condStruggling) {
		return false
	}
	answer := r.Ask("reach/"+t.Id, rules.YesNo(decReach, t.Id, b.attacker.Name+" closes", "Strike first with "+w.Name+"?", "yes", cite.InitiativeReachFirstStrike))
	if answer.Option != "yes" {
		return false
	}
	first := newBlow(s, t, b.attacker, w, atHand())
	first.label = "reach/" + t.Id
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: t.Id, Action: "reach-strike", Targets: []string{b.attacker.Id}, Item: w.Name}, cite.InitiativeReachFirstStrike)
	countAttack(r, first)
	lay(r, strike(r, first))
	b.attacker, b.target = r.Creature(b.attacker.Id), r.Creature(t.Id)
	return !able(r.State(), b.attacker)
}

// atHand is a command that states that the foe is within reach.
func atHand() *eventv1.TakeAction {
	return &eventv1.TakeAction{Facts: &structpb.Struct{Fields: map[string]*structpb.Value{"in_reach": structpb.NewBoolValue(true)}}}
}

// openPhase is the state outside the segments of first and last attacks, for
// what happens out of order.
func openPhase(s *eventv1.State) *eventv1.State {
	if s.Phase != segFirst && s.Phase != segLast {
		return s
	}
	c := event.Clone(s)
	c.Phase = segSlot
	return c
}

// superior tells whether one has a superior reach over another with whom it
// was not in melee before this round.
//
// original.equipment.reach-table
func superior(s *eventv1.State, a, over *eventv1.Creature) bool {
	if m := rules.RelationTo(a, relMet, over.Id); m != nil && m.Round != s.Round {
		return false
	}
	return !surprised(a) && reachRank(inHand(a))-reachRank(inHand(over)) >= int32(defaults.Number(s, setReach))
}

// wrongNumber is the mistake of naming a number that is not in range.
func wrongNumber(field string, from, to int32) error {
	return fault.Field(field, "must be a whole number from %d to %d", from, to)
}
