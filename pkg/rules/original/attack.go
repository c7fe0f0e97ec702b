package original

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func attackActions() []*action {
	return []*action{
		{id: "attack", title: "Attack", options: attackOptions, do: doAttack, extra: true, held: true},
		backstabAction(),
		{id: "shortcut", title: "Count kills instead of rolling", options: shortcutOptions, do: doShortcut},
		{id: "parry", title: "Parry", anytime: true, do: doParry, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			return []*eventv1.Option{option("", parryRefused(s, c))}
		}},
	}
}

func attackOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var list []*eventv1.Option
	for _, w := range weapons(c) {
		o := targeted(w.Name, foes(s, c), func(id string) error {
			return attackRefused(s, c, s.Creatures[id], w, &eventv1.TakeAction{})
		})
		o.Parameters = blowParameters(s, c, w)
		list = append(list, o)
		if o := throwOption(s, c, w); o != nil {
			list = append(list, o)
		}
	}
	return list
}

// blowParameters are the choices of one who strikes with a weapon.
func blowParameters(s *eventv1.State, c *eventv1.Creature, w *eventv1.OriginalWeapon) []*eventv1.Parameter {
	list := []*eventv1.Parameter{{Name: "subdue", Type: "boolean", Text: "Meant to subdue, not to wound"}}
	if w.Kind == "hand" {
		list = append(list, &eventv1.Parameter{Name: "pull", Type: "boolean", Text: "Pull the punch: temporary damage only"})
	}
	if swashbuckler(s, c, w) {
		list = append(list, choiceOf("to_hit", "Ability to hit by", "str", "dex"), choiceOf("damage", "Ability to damage by", "str", "dex"))
	}
	return list
}

// throwOption is the throw of a weapon that strikes from near as well; nil where
// nobody near can be thrown at. It stands apart from the blow, because one may be
// allowed at a foe where the other is not.
func throwOption(s *eventv1.State, c *eventv1.Creature, w *eventv1.OriginalWeapon) *eventv1.Option {
	if missile(w) || !ranged(w) {
		return nil
	}
	throw := &eventv1.TakeAction{Parameters: &structpb.Struct{Fields: map[string]*structpb.Value{"throw": structpb.NewBoolValue(true)}}}
	o := targeted(w.Name, foes(s, c), func(id string) error { return attackRefused(s, c, s.Creatures[id], w, throw) })
	if !slices.ContainsFunc(o.Targets, func(id string) bool {
		melee, _ := reachOf(c, s.Creatures[id], w, &eventv1.TakeAction{})
		return melee
	}) {
		return nil
	}
	o.Title = "Throw, even from near"
	o.Parameters = []*eventv1.Parameter{
		{Name: "throw", Type: "boolean", Required: true, Values: []*structpb.Value{structpb.NewBoolValue(true)}, Text: "Throw it, even from near"},
		{Name: "subdue", Type: "boolean", Text: "Meant to subdue, not to wound"}}
	return o
}

// attackRefused says why an attack may not be made, at nobody if the target is
// nil: first what holds of any target.
func attackRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	switch {
	case dropped(c, w):
		return refuse("DROPPED", cite.FumbleTable, "%s lies on the ground", w.Name)
	case !usable(c, w):
		return refuse("NO_SPACE", cite.EquipmentTightSpace, "there is no room for %s", w.Name)
	case has(c, condStruggling) && !natural(w):
		return refuse("STRUGGLING", cite.GrappleTieStruggling, "%s cannot use a weapon in a hold", c.Name)
	}
	if err := barred(s, c); err != nil {
		return err
	}
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
	if err := tooSwift(s, c); err != nil && (melee || !firesOnTheRun(c, w)) {
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
	return missileRefused(s, c, target, w, band, take)
}

// countRefused says whether the round's attacks are spent, those that come
// last held back for the end of the round.
//
// original.attack.multi-vs-normal-men, original.initiative.fighters-first-and-last
func countRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, melee bool) error {
	used := int32(c.Counters[cAttacks])
	strong := c.Marks[mStrong] == itoa(s.Round)
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
	for _, id := range foes(s, target) {
		other := s.Creatures[id]
		if id != c.Id && able(s, other) && attackingNow(s, other) == target.Id && inMelee(other, target) {
			n++
		}
	}
	if n >= limit {
		return refuse("NO_ROOM", cite.AttackSurroundLimit, "%d already stand round %s", n, target.Name)
	}
	return nil
}

func missileRefused(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, band string, take *eventv1.TakeAction) error {
	if !ranged(w) {
		return refuse("OUT_OF_REACH", cite.MovementInMeleeDefinition, "%s is out of reach of %s", target.Name, w.Name)
	}
	if !slices.Contains([]string{"short", "medium", "long"}, band) {
		return refuse("OUT_OF_RANGE", cite.AttackRangeBands, "%s is out of the range of %s", target.Name, w.Name)
	}
	near := engagedWith(s, c)
	if len(near) > 0 && (missile(w) || !slices.Contains(near, target.Id)) {
		return refuse("ENGAGED", cite.MovementHalfMoveAndAttack, "%s is in melee", c.Name)
	}
	return loading(s, c, w)
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	b, err := attackOf(r.State(), c, take)
	if err != nil {
		return err
	}
	deliver(r, b, take.Action, nil)
	return nil
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
		r.Mark(b.attacker.Id, mBackstab, itoa(r.State().Round), cite.AttackBackstabFirstOnly)
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

// attackOf reads an attack out of a command and refuses it if need be.
func attackOf(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (*blow, error) {
	id, err := oneTarget(take)
	if err != nil {
		return nil, err
	}
	w, err := weaponOf(c, take.Item)
	if err != nil {
		return nil, err
	}
	if err := attackRefused(s, c, s.Creatures[id], w, take); err != nil {
		return nil, err
	}
	if err := mannerRefused(s, c, w, take); err != nil {
		return nil, err
	}
	return newBlow(s, c, s.Creatures[id], w, take), nil
}

// countAttack spends one attack of the round.
func countAttack(r *rules.Resolution, b *blow) {
	r.Set(b.attacker.Id, cAttacks, r.Count(b.attacker.Id, cAttacks)+1, "attack", cite.AttackMultiVsNormalMen)
	if b.target.Marks[mNormal] == "" || !b.melee || b.weapon.Untrained {
		r.Mark(b.attacker.Id, mStrong, itoa(r.State().Round), cite.AttackMultiVsNormalMen)
	}
	if b.weapon.Kind == "crossbow" {
		r.Set(b.attacker.Id, cShot+b.weapon.Name, int64(r.State().Round)+1, "shot", cite.AttackCrossbowEveryOtherRound)
	}
	if !b.melee && firesOnTheRun(b.attacker, b.weapon) {
		r.Mark(b.attacker.Id, mRunShot, itoa(r.State().Round), runRule(b.attacker))
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
	charged := b.charge && canSet(w) && reachRank(w) > reachRank(b.weapon) && !surprised(s, t)
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
	if m := a.Marks[mMet+over.Id]; m != "" && m != itoa(s.Round) {
		return false
	}
	return !surprised(s, a) && reachRank(inHand(a))-reachRank(inHand(over)) >= int32(defaults.Number(s, setReach))
}

// wrongWord is the mistake of a word that is none of the values.
func wrongWord(field string, values []string) error {
	return fault.Field(field, "must be one of %q", values)
}

// wrongNumber is the mistake of naming a number that is not in range.
func wrongNumber(field string, from, to int32) error {
	return fault.Field(field, "must be a whole number from %d to %d", from, to)
}
