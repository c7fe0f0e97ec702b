package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mayDeclare says whether a creature may declare now.
//
// spark.turn.two-halves, spark.action.kinds, spark.action.multi-round-lock
func mayDeclare(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case out(c):
		return refuse("OUT", "spark.dice.drop-to-zero", "%s is out of the fight", c.GetName())
	case locked(s, c):
		return refuse("LOCKED", "spark.action.multi-round-lock", "%s casts until the end of round %d", c.Name, c.Counters[cLocked])
	case s.Phase != phaseDeclare:
		return refuse("NOT_DECLARING", "spark.turn.movement-first", "nothing is declared now")
	case c.Counters[cOrder] > 0:
		return refuse("DECLARED", "spark.action.full-round-packages", "%s has declared its full round action", c.Name)
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_TURN", "spark.turn.two-halves", "%s does not declare now", c.Name)
	}
	return nil
}

// refuseKind says why a creature cannot declare a kind of full round action at
// all, whatever it aims at. item is the weapon or spell.
func refuseKind(s *eventv1.State, c *eventv1.Creature, kind, item string) error {
	if err := mayDeclare(s, c); err != nil {
		return err
	}
	switch {
	case attacks(kind) && barred(s, c):
		return refuse("TRIPPED", "spark.fumble.trip-two-rounds", "%s tripped: no attacks through round %d", c.Name, c.Counters[cBarredUntil])
	case attacks(kind) && len(targets(s, c, false)) == 0:
		return refuse("NO_TARGET", "spark.attack.roll", "nobody is left to attack")
	case attacks(kind):
		w := weaponOf(c, item)
		if w == nil {
			return fault.Field("take.item", "%s has no weapon %q", c.Name, item)
		}
		if kind != kindAttack && w.ReachFeet == 0 {
			return refuse("NOT_MELEE", "spark.action.charge", "%s is no melee weapon", w.Name)
		}
		if kind != kindAttack && prone(s, c) {
			return refuse("PRONE", ruleProne, "%s lies prone and cannot charge", c.Name)
		}
		return refuseWeapon(s, c, w, w.ReachFeet == 0, true, w.Name)
	case kind == kindCast:
		sp := spellOf(c, item)
		if sp == nil {
			return fault.Field("take.item", "%s has no spell %q", c.Name, item)
		}
		if c.Counters[cMana] < int64(sp.ManaCost) {
			return refuse("NO_MANA", "spark.spell.countered-mana-lost", "%s costs %d mana", sp.Name, sp.ManaCost)
		}
	case kind == kindRestring:
		switch {
		case c.Marks[mString+item] != snapped:
			return refuse("STRING_WHOLE", "spark.fumble.string-breaks", "%q needs no string", item)
		case c.Counters[cSpareStrings] < 1:
			return refuse("NO_STRING", "spark.fumble.string-breaks", "%s has no spare string", c.Name)
		}
	}
	return nil
}

// prone tells whether a creature lies on the ground where that means something.
func prone(s *eventv1.State, c *eventv1.Creature) bool { return has(c, condProne) && on(s, ruleProne) }

// planFor turns an action into a declaration, or refuses it.
func planFor(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (*declaration, error) {
	kind := take.Action
	d := &declaration{Kind: kind, Text: word(take.GetParameters(), "text"), Stand: truth(take.GetParameters(), "stand"),
		Held: truth(take.GetParameters(), "held")}
	if err := refuseKind(s, c, kind, take.Item); err != nil {
		return nil, err
	}
	if err := d.state(s, take); err != nil {
		return nil, err
	}
	if err := d.way(s, c, take); err != nil {
		return nil, err
	}
	if err := d.extra(c, take); err != nil {
		return nil, err
	}
	var err error
	switch {
	case attacks(kind):
		err = d.strikes(s, c, take)
	case kind == kindCast:
		err = d.cast(s, c, take)
	case kind == kindDeed:
		err = d.deed(s, take)
	case kind == kindRestring:
		d.Weapon = take.Item
	}
	if err == nil {
		err = d.movement(s, c)
	}
	if err == nil && d.Bonus != nil {
		err = d.refuseBonus(s, c)
	}
	return d, err
}

// state takes over the stated facts.
func (d *declaration) state(s *eventv1.State, take *eventv1.TakeAction) error {
	f := take.GetFacts()
	if n, ok := number(f, "distance"); ok {
		if n < 0 {
			return fault.Field("take.facts.distance", "%d is less than 0 feet", n)
		}
		d.Stated.Distance = &n
	}
	d.Stated.Behind = word(f, "behind")
	if d.Stated.Behind != "" {
		if err := checkIDs(s, "take.facts.behind", d.Stated.Behind); err != nil {
			return err
		}
	}
	for _, list := range []struct {
		key string
		to  *[]string
	}{{"nearest", &d.Stated.Nearest}, {"in_range", &d.Stated.InRange}, {"provokes", &d.Stated.Provokes}} {
		ids, ok := words(f, list.key)
		if err := checkIDs(s, "take.facts."+list.key, ids...); err != nil {
			return err
		}
		if ok {
			*list.to = ids
		}
	}
	if n, ok := number(f, "direction"); ok {
		if n < 1 || n > 8 {
			return fault.Field("take.facts.direction", "%d is not from 1 to 8", n)
		}
		d.Stated.Direction = n
	}
	for _, x := range take.Circumstances {
		e := edge{Advantage: x.Direction == "advantage", Value: x.Value, Cause: x.Cause, Target: x.Target}
		if x.Direction == "modifier" {
			d.Stated.Mods = append(d.Stated.Mods, e)
			continue
		}
		d.Stated.Edges = append(d.Stated.Edges, e)
	}
	return nil
}

// way takes over the move: its path, or the feet stated where there is no map.
func (d *declaration) way(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	from := c.Position
	for _, p := range take.Path {
		if abs(p.GetX()) > 1e6 || abs(p.GetY()) > 1e6 || abs(p.GetZ()) > 1e6 {
			return fault.Field("take.path", "a point is off every map")
		}
		if from != nil {
			d.Feet += between(from, p)
		}
		from = p
		d.Path = append(d.Path, spot{p.X, p.Y, p.Z})
	}
	if n, ok := number(take.GetFacts(), "feet"); ok {
		if n < 0 {
			return fault.Field("take.facts.feet", "%d is less than 0", n)
		}
		d.Feet = n
	}
	if d.Stand && !prone(s, c) {
		return refuse("NOT_PRONE", ruleProne, "%s is not prone", c.Name)
	}
	return nil
}

// extra reads the bonus action: "KIND:ITEM".
func (d *declaration) extra(c *eventv1.Creature, take *eventv1.TakeAction) error {
	asked, _ := words(take.GetParameters(), "bonus")
	if len(asked) == 0 {
		return nil
	}
	if len(asked) > 1 {
		return refuse("TWO_BONUS_ACTIONS", "spark.action.bonus", "one bonus action a round, not %d", len(asked))
	}
	kind, item, _ := strings.Cut(asked[0], ":")
	d.Bonus = &extra{Kind: kind, Item: item, Target: word(take.GetParameters(), "bonus_target"), First: truth(take.GetParameters(), "bonus_first")}
	if d.Bonus.Target == "" && kind == "off-hand" && len(take.Targets) > 0 {
		d.Bonus.Target = take.Targets[0]
	}
	if d.Bonus.Target == "" {
		d.Bonus.Target = c.Id
	}
	return nil
}

// strikes takes over the attacks.
//
// spark.action.attack, spark.action.charge, spark.action.bull-rush, spark.action.off-hand-attack
func (d *declaration) strikes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	names, _ := words(take.GetParameters(), "weapons")
	classes, _ := words(take.GetParameters(), "classes")
	n := len(take.Targets)
	switch {
	case n == 0:
		return fault.Field("take.targets", "at least one")
	case d.Kind != kindAttack && n > 1:
		return refuse("TOO_MANY_ATTACKS", "spark.action.charge", "a charge ends in exactly one attack")
	case n > attacksOf(c):
		return refuse("TOO_MANY_ATTACKS", "spark.action.attack", "%s has %d attacks a round, not %d", c.Name, attacksOf(c), n)
	case len(names) > 0 && len(names) != n || len(classes) > 0 && len(classes) != n:
		return fault.Field("take.parameters", "weapons and classes must name one for each of %d targets", n)
	}
	for i, target := range take.Targets {
		st := strike{Weapon: take.Item, Target: target, Ranged: truth(take.GetParameters(), "ranged"), Risk: truth(take.GetParameters(), "use_cracked")}
		if len(names) > 0 {
			st.Weapon = names[i]
		}
		if len(classes) > 0 {
			st.Class = classes[i]
		}
		if err := d.addStrike(s, c, st); err != nil {
			return err
		}
	}
	return nil
}

func (d *declaration) addStrike(s *eventv1.State, c *eventv1.Creature, st strike) error {
	w := weaponOf(c, st.Weapon)
	if w == nil {
		return fault.Field("take.parameters.weapons", "%s has no weapon %q", c.Name, st.Weapon)
	}
	if w.ReachFeet == 0 {
		st.Ranged = true
	}
	st.Risk = st.Risk && c.Marks[mWeapon+w.Name] == cracked
	switch {
	case st.Target == c.Id:
		return refuse("SELF", "spark.attack.roll", "%s cannot attack itself", c.Name)
	case out(s.Creatures[st.Target]):
		return refuse("TARGET_OUT", "spark.dice.drop-to-zero", "%s is out of the fight", s.Creatures[st.Target].GetName())
	case st.Ranged && (w.RangeFeet == 0 || d.Kind != kindAttack):
		return refuse("NOT_RANGED", "spark.attack.roll", "%s is not shot or thrown now", w.Name)
	case st.Class != "" && !slices.Contains(w.FumbleClasses, st.Class):
		return fault.Field("take.parameters.classes", "%s is not of class %q", w.Name, st.Class)
	}
	if err := refuseWeapon(s, c, w, st.Ranged, st.Risk, d.ready()); err != nil {
		return err
	}
	with := func(x strike) bool { return x.Weapon == st.Weapon && (x.Ranged || st.Risk) }
	used := 0
	for _, x := range d.Strikes {
		if with(x) {
			used++
		}
	}
	if st.Ranged && w.Missiles != nil && int64(used) >= c.Counters[cMissiles+w.Name] {
		return refuse("NO_MISSILES", "spark.fumble.missile-broken", "%s has only %d missiles", w.Name, used)
	}
	if used > 0 && c.Marks[mWeapon+w.Name] == cracked {
		return refuse("CRACKED", "spark.item.cracked", "%s is cracked and breaks with its first use", w.Name)
	}
	d.Strikes = append(d.Strikes, st)
	return nil
}

// ready is the weapon that the bonus action brings to hand.
func (d *declaration) ready() string {
	if d.Bonus != nil && (d.Bonus.Kind == "draw" || d.Bonus.Kind == "pick-up") {
		return d.Bonus.Item
	}
	return ""
}

// cast takes over the spell.
//
// spark.action.spell-fills-round
func (d *declaration) cast(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := spellOf(c, take.Item)
	if len(take.Targets) > int(max(1, sp.Targets)) {
		return fault.Field("take.targets", "%s has at most %d targets", sp.Name, max(1, sp.Targets))
	}
	if len(take.Targets) == 0 && sp.Delivery != "other" {
		return fault.Field("take.targets", "at least one")
	}
	for i, t := range take.Targets {
		if slices.Contains(take.Targets[:i], t) {
			return fault.Field("take.targets["+itoa(i)+"]", "%q is named twice", t)
		}
		if sp.Healing == "" && out(s.Creatures[t]) {
			return refuse("TARGET_OUT", "spark.dice.drop-to-zero", "%s is out of the fight", s.Creatures[t].GetName())
		}
	}
	d.Spell, d.Targets = sp.Name, take.Targets
	return nil
}

// deed takes over something that is no attack.
//
// spark.initiative.other-deeds
func (d *declaration) deed(s *eventv1.State, take *eventv1.TakeAction) error {
	if d.Text == "" || len(d.Text) > 200 {
		return fault.Field("take.parameters.text", "must be 1 to 200 bytes")
	}
	d.Rival, d.Targets = word(take.GetParameters(), "rival"), take.Targets
	if d.Rival != "" {
		return checkIDs(s, "take.parameters.rival", d.Rival)
	}
	return nil
}

// movement holds the limits of the packages.
//
// spark.action.move, spark.action.full-round-packages,
// spark.action.no-full-attack-with-full-move, spark.action.five-foot-full-attack,
// spark.action.full-move-single-attack, spark.condition.prone
func (d *declaration) movement(s *eventv1.State, c *eventv1.Creature) error {
	moved := d.Feet > 0 || len(d.Path) > 0
	full := slices.ContainsFunc(sheetOf(c).Feats, func(f *eventv1.SparkFeat) bool { return f.FullMoveFullAttack })
	switch {
	case (moved || d.Stand) && d.Kind == kindCast:
		return refuse("SPELL_FILLS_ROUND", "spark.action.spell-fills-round", "a spell leaves no move")
	case (moved || d.Stand) && d.Kind == kindRestring:
		return refuse("RESTRING_FILLS_ROUND", "spark.fumble.string-breaks", "fitting a string leaves no move")
	case moved && d.Stand:
		return refuse("STANDS_UP", ruleProne, "standing up takes the move action")
	case d.Feet > 5 && prone(s, c):
		return refuse("PRONE", ruleProne, "%s lies prone", c.Name)
	case d.Feet > speedOf(c):
		rule := map[string]string{kindAttack: "spark.action.full-move-single-attack", kindCharge: "spark.action.charge"}[d.Kind]
		if rule == "" {
			rule = "spark.action.move"
		}
		return refuse("TOO_FAR", rule, "%s moves %d ft a round, not %d", c.Name, speedOf(c), d.Feet)
	case (d.Kind == kindCharge || d.Kind == kindBullRush) && !moved:
		return refuse("NO_CHARGE", "spark.action.charge", "a charge needs a move")
	case len(d.Strikes) > 1 && !full && (d.Stand || d.Feet >= speedOf(c) && d.Feet > 5):
		return refuse("FULL_MOVE", "spark.action.no-full-attack-with-full-move", "a full move leaves a single attack")
	case len(d.Strikes) > 1 && !full && d.Feet > 5:
		return refuse("MOVED_TOO_FAR", "spark.action.five-foot-full-attack", "more than 5 ft leave a single attack")
	}
	return nil
}

// refuseBonus says why the bonus action of a declaration is not to be had.
//
// spark.action.bonus, spark.action.off-hand-attack, spark.action.drink-potion,
// spark.action.activate-item, spark.action.feat-bonus
func (d *declaration) refuseBonus(s *eventv1.State, c *eventv1.Creature) error {
	both := (d.Feet > 5 || d.Stand) && attacks(d.Kind)
	switch {
	case d.Kind == kindCast:
		return refuse("SPELL_FILLS_ROUND", "spark.action.spell-fills-round", "a spell leaves no bonus action")
	case d.Kind == kindRestring:
		return refuse("RESTRING_FILLS_ROUND", "spark.fumble.string-breaks", "fitting a string leaves no bonus action")
	case both && setting(s, setBonusWithBoth) == "deny":
		return refuse("NO_BONUS_ACTION", "spark.action.full-move-single-attack", "a move with an attack leaves no bonus action at this table")
	}
	b := d.Bonus
	if err := refuseExtra(s, c, b.Kind, b.Item); err != nil {
		return err
	}
	if err := checkIDs(s, "take.parameters.bonus_target", b.Target); err != nil {
		return err
	}
	switch b.Kind {
	case "off-hand":
		if slices.ContainsFunc(d.Strikes, func(x strike) bool { return x.Weapon == b.Item }) {
			return refuse("SAME_WEAPON", "spark.action.off-hand-attack", "%s attacks already", b.Item)
		}
		if b.Target == c.Id || out(s.Creatures[b.Target]) {
			return refuse("NO_TARGET", "spark.action.off-hand-attack", "the off-hand attack needs a bonus_target")
		}
	case "pick-up":
		return d.refusePickUp(c)
	}
	return nil
}

// refusePickUp holds that a weapon on the ground is reached by the move.
//
// spark.fumble.weapon-flies
func (d *declaration) refusePickUp(c *eventv1.Creature) error {
	v := c.Items[d.Bonus.Item].GetValues()
	at := c.Position
	if n := len(d.Path); n > 0 && !d.Held {
		at = d.Path[n-1].position()
	}
	_, mapped := v["x"]
	if mapped && at != nil && between(at, &eventv1.Position{X: v["x"], Y: v["y"], Z: at.Z}) > 5 || (!mapped || at == nil) && d.Feet+5 < v["feet"] {
		return refuse("OUT_OF_REACH", "spark.fumble.weapon-flies", "the move does not reach %s", d.Bonus.Item)
	}
	return nil
}

// refuseExtra says why a bonus action cannot be used whatever the rest.
func refuseExtra(s *eventv1.State, c *eventv1.Creature, kind, item string) error {
	w, it := weaponOf(c, item), itemOf(c, item)
	switch kind {
	case "off-hand":
		switch {
		case w == nil || !w.OffHand || w.ReachFeet == 0:
			return fault.Field("take.parameters.bonus", "%s has no off-hand weapon %q", c.Name, item)
		case barred(s, c):
			return refuse("TRIPPED", "spark.fumble.trip-two-rounds", "%s tripped: no attacks through round %d", c.Name, c.Counters[cBarredUntil])
		case len(targets(s, c, false)) == 0:
			return refuse("NO_TARGET", "spark.attack.roll", "nobody is left to attack")
		}
		return refuseWeapon(s, c, w, false, false, "")
	case "draw", "pick-up":
		place := map[string]string{"draw": "stowed", "pick-up": "dropped"}[kind]
		if w == nil || c.Items[item].GetPlace() != place || c.Items[item].GetValues()["until"] > 0 {
			return refuse("NOT_THERE", "spark.action.bonus", "%q is not %s", item, place)
		}
	case "potion", "activate":
		if it == nil || (it.Kind == "potion") != (kind == "potion") {
			return fault.Field("take.parameters.bonus", "%s has no such item %q", c.Name, item)
		}
		if c.Counters[cUses+item] < 1 {
			return refuse("USED_UP", "spark.action.bonus", "%s is used up", item)
		}
	case "feat":
		has := slices.ContainsFunc(sheetOf(c).Feats, func(f *eventv1.SparkFeat) bool { return f.Name == item && f.Bonus })
		if !has || !on(s, ruleFeatBonus) {
			return refuse("NO_FEAT", ruleFeatBonus, "%s has no feat %q that costs the bonus action", c.Name, item)
		}
	default:
		return fault.Field("take.parameters.bonus", "%q is not off-hand, draw, pick-up, potion, activate or feat", kind)
	}
	return nil
}

// extras lists the bonus actions to be had, besides those with a weapon.
func extras(s *eventv1.State, c *eventv1.Creature, except string) []string {
	var names []string
	for _, w := range sheetOf(c).Weapons {
		names = append(names, "off-hand:"+w.Name, "draw:"+w.Name, "pick-up:"+w.Name)
	}
	for _, it := range sheetOf(c).Items {
		names = append(names, "potion:"+it.Name, "activate:"+it.Name)
	}
	for _, f := range sheetOf(c).Feats {
		names = append(names, "feat:"+f.Name)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		kind, item, _ := strings.Cut(name, ":")
		return kind == "off-hand" && item == except || refuseExtra(s, c, kind, item) != nil
	})
}

// seal keeps a declaration where only its creature's controllers see it.
//
// spark.turn.declare
func seal(r *rules.Resolution, c *eventv1.Creature, d *declaration, take *eventv1.TakeAction) error {
	text, err := d.encode()
	if err != nil {
		return err
	}
	order := int64(1)
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		order = max(order, r.Count(id, cOrder)+1)
	}
	r.Emit(sealed(c.Id), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Item: take.Item}, "spark.turn.declare")
	r.Mark(c.Id, mDeclared, text, "spark.turn.declare")
	r.Set(c.Id, cOrder, order, "declared", "spark.turn.declare")
	passTurn(r, c.Id)
	return nil
}
