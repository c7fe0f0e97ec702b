package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attack is one attack with a weapon.
type attack struct {
	// by and target are creature ids.
	by, target string
	weapon     *eventv1.CelesiaWeapon
	// label of its rolls.
	label string
	// take holds what was stated: facts, parameters, circumstances.
	take *eventv1.TakeAction
	// more goes on the attack roll.
	more []*eventv1.Modifier
	// hand of one of several attacks: main or off; empty for a lone one.
	hand string
}

// attackActions are attacks of all kinds.
func attackActions() []*action {
	return slices.Concat([]*action{
		{id: "attack", title: "Attack", rule: "celesia.attack.melee-reach", acts: 1, trigger: "attack", targeted: true, aims: true,
			items: weaponNames, provoke: attackProvokes, refuse: refuseAttack, check: checkAttack, parameters: attackParameters, do: doAttack},
		{id: "steady-aim", title: "Steady aim", rule: "celesia.attack.steady-aim", acts: 1, trigger: "other", aims: true,
			provoke: always, refuse: refuseAim, do: doAim},
	}, multiActions())
}

func weaponNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		out = append(out, w.Name)
	}
	return out
}

func attackParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return append([]*eventv1.Parameter{choice("damage", "lethal or nonlethal, before the roll", false, "lethal", "nonlethal"),
		{Name: "degrees", Type: "number", Text: "most extra rolls of the weapon dice to use"}}, tradeOffParameters()...)
}

func checkAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := checkNature(s, c, take); err != nil {
		return err
	}
	return checkTradeOffs(s, c, take)
}

// checkNature judges whether the damage may be of the nature asked for.
func checkNature(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	v, err := oneOf(take, "damage", "lethal", "nonlethal")
	if err != nil {
		return err
	}
	// celesia.attack.nonlethal-with-lethal-weapon
	if w := weaponOf(c, take.Item); v == "nonlethal" && !w.Nonlethal && ranged(w) {
		return refuse("MELEE_ONLY", "celesia.attack.nonlethal-with-lethal-weapon", "only melee weapons can be turned to nonlethal damage")
	}
	return nil
}

func ranged(w *eventv1.CelesiaWeapon) bool { return shoots(w) || w.Kind == kindThrown }

// attackProvokes: ranged attacks provoke from all, unarmed ones from an armed
// target alone.
//
// celesia.turn.attack-of-opportunity, celesia.attack.unarmed-provoke, celesia.attack.armed-unarmed
func attackProvokes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	w := weaponOf(c, take.Item)
	switch {
	case ranged(w):
		return setting(s, setRangedProvokes) == "on", ""
	case w.GetKind() == kindUnarmed && !strikes(c, w):
		return armed(s.Creatures[target(take)]), target(take)
	}
	return false, ""
}

// wieldable tells whether a weapon is in hand and the hands that it needs can
// hold it.
func wieldable(c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	return refuseWeapon(c, w, nil) == nil
}

// refuseWeapon says why a creature cannot attack with a weapon, whatever the target.
//
// celesia.injury.hand, celesia.injury.arm, celesia.attack.natural-limbs
func refuseWeapon(c *eventv1.Creature, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) error {
	switch {
	case w == nil:
		return fault.Field("take.item", "names no weapon of %s", c.GetName())
	case !held(c, w):
		return refuse("NOT_IN_HAND", "celesia.equipment.draw-sheathe", "%s is not in hand", w.Name)
	case place(c, w) == placeBoth && usableHands(c) < 2:
		return refuse("HAND_LOST", "celesia.injury.hand", "%s needs two hands", w.Name)
	case place(c, w) == placeMain && parts(c, "hand") == 2 && !usable(c, "right"),
		place(c, w) == placeOff && parts(c, "hand") == 2 && !usable(c, "left"):
		return refuse("HAND_LOST", "celesia.injury.hand", "the hand that holds %s is of no use", w.Name)
	case w.Hands == 2 && place(c, w) != placeBoth:
		return refuse("ONE_HAND", "celesia.damage.two-handed", "%s needs two hands", w.Name)
	}
	if err := refuseUnloaded(c, w); err != nil {
		return err
	}
	if err := refuseReins(c, w); err != nil {
		return err
	}
	for _, limb := range limbsOf(c, w) {
		if used := c.Marks[mLimb+limb]; take != nil && used != "" && used != limbUse(w) {
			return refuse("LIMB_USED", "celesia.attack.natural-limbs", "the %s has made another attack this turn", limb)
		}
	}
	return nil
}

// limbsOf are the limbs that an attack uses.
func limbsOf(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []string {
	switch place(c, w) {
	case placeMain:
		return []string{"right-hand"}
	case placeOff:
		return []string{"left-hand"}
	case placeBoth:
		return []string{"right-hand", "left-hand"}
	}
	if w.Limb != "" {
		return []string{w.Limb}
	}
	return nil
}

func limbUse(w *eventv1.CelesiaWeapon) string {
	if bodyless(w) {
		return "natural"
	}
	return "weapon"
}

// refuseAttack says why an attack cannot be made.
//
// celesia.attack.melee-reach, celesia.attack.ranged-target, celesia.attack.maximum-range
func refuseAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	if err := refuseWeapon(c, w, take); err != nil {
		return err
	}
	if err := refuseLeaderless(c); err != nil {
		return err
	}
	if err := refuseBetween(s, c, w); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	if has(c, condPinned) {
		return refuse("PINNED", "celesia.maneuver.pin", "%s is pinned and can only try to escape", c.Name)
	}
	if err := refuseUnseen(take, t, "celesia.attack.ranged-target"); err != nil && ranged(w) {
		return err
	}
	feet, known := apart(take, c, t)
	if !known {
		return nil
	}
	near, far := span(c, w)
	if ranged(w) {
		near, far = 0, w.RangeFeet*increments(w)
	}
	if feet < near || feet > far {
		rule := "celesia.attack.melee-reach"
		if w.Reach {
			rule = "celesia.attack.reach-weapon"
		} else if ranged(w) {
			rule = "celesia.attack.maximum-range"
		}
		return refuse("OUT_OF_REACH", rule, "%s is %d feet away", t.Name, feet)
	}
	return nil
}

// refuseUnseen: what is shot, thrown or charged at must be in line of sight, as
// far as the caller says that it is not.
//
// celesia.attack.ranged-target, celesia.movement.charge
func refuseUnseen(take *eventv1.TakeAction, t *eventv1.Creature, rule string) error {
	if v, ok := take.GetFacts().GetFields()["line_of_sight"]; ok && !v.GetBoolValue() {
		return refuse("NO_LINE_OF_SIGHT", rule, "%s is not in line of sight", t.GetName())
	}
	return nil
}

// increments is how many range increments a weapon carries.
func increments(w *eventv1.CelesiaWeapon) int32 {
	switch {
	case w.MaximumIncrements > 0:
		return w.MaximumIncrements
	case w.Load == loadSimple:
		return 5
	case w.Kind == kindProjectile:
		return 10
	}
	return 5
}

func doAttack(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	useLimbs(r, c, w)
	declare(r, c.Id, take)
	if makeAttack(r, attack{by: c.Id, target: target(take), weapon: w, label: "attack/1", take: take}) {
		cleave(r, c.Id, w, take)
	}
	r.Set(c.Id, cAim, 0, "the attack is made", "celesia.attack.steady-aim")
	return nil
}

// useLimbs marks the limbs of an attack in one's own turn.
//
// celesia.attack.natural-limbs
func useLimbs(r *rules.Resolution, c *eventv1.Creature, w *eventv1.CelesiaWeapon) {
	for _, limb := range limbsOf(c, w) {
		if slices.Contains(r.State().Active, c.Id) {
			r.Mark(c.Id, mLimb+limb, limbUse(w), "celesia.attack.natural-limbs")
		}
	}
}

// attackModifiers is what goes on the attack roll.
//
// celesia.attack.melee-bonus, celesia.attack.ranged-bonus, celesia.attack.natural-reach
func attackModifiers(c *eventv1.Creature, w *eventv1.CelesiaWeapon, feet int32, known bool) []*eventv1.Modifier {
	s := sheetOf(c)
	out := []*eventv1.Modifier{mod(s.BaseAttack, "base attack", "celesia.attack.bab-source")}
	for _, a := range attackAbilities(w) {
		out = append(out, mod(modifier(c, a), a, "celesia.attack.melee-bonus"))
	}
	out = append(out, mod(s.SizeModifier, "size", ""), mod(w.AttackBonus, w.Name, ""))
	if ranged(w) && known && w.RangeFeet > 0 && feet > 0 {
		out = append(out, mod(-w.RangePenalty*((feet-1)/w.RangeFeet), "range", "celesia.attack.ranged-bonus"))
	}
	return nonzero(out...)
}

// attackAbilities are the abilities of attack rolls and damage.
//
// celesia.damage.melee-abilities, celesia.damage.projectile, celesia.damage.thrown, celesia.damage.natural-ranged
func attackAbilities(w *eventv1.CelesiaWeapon) []string {
	switch w.Kind {
	case kindProjectile:
		return []string{"dexterity", "wisdom"}
	case kindThrown, kindNaturalRanged:
		return []string{"strength", "dexterity", "wisdom"}
	}
	return []string{"strength", "dexterity"}
}

// defense is the DV of a creature against an attacker. A flat-footed creature
// and one that pins have no Dexterity bonus in it.
//
// celesia.condition.flat-footed, celesia.maneuver.grapple-pin, celesia.action.total-defense,
// celesia.action.total-defense-combine
func defense(t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	s := sheetOf(t)
	out := &eventv1.TargetNumber{Kind: "DV", Value: s.Defense}
	if touch {
		out = &eventv1.TargetNumber{Kind: "touch DV", Value: s.TouchDefense}
	}
	add := func(m *eventv1.Modifier) {
		if m.Value != 0 {
			out.Modifiers = append(out.Modifiers, m)
			out.Value += m.Value
		}
	}
	switch {
	case has(t, condFlatFooted):
		add(mod(-s.DefenseDexterity, "flat-footed", "celesia.condition.flat-footed"))
	case has(t, condPinning):
		add(mod(-s.DefenseDexterity, "pins a foe", "celesia.maneuver.grapple-pin"))
	case has(t, condRunning):
		add(mod(-s.DefenseDexterity, "running", "celesia.movement.run-loses-dexterity"))
	}
	if !touch {
		add(mod(shieldBonus(t), "shield", ruleShield))
	}
	for _, x := range t.Conditions {
		add(mod(x.Values["defense"], x.Name, x.Rule))
		if !unbalanced(t) {
			add(mod(x.Values["dodge"], x.Name, x.Rule))
		}
	}
	return out
}

// defenseAgainst is the DV that an attack of one creature on another meets; aid
// against the attacker is used up.
func defenseAgainst(r *rules.Resolution, c, t *eventv1.Creature, touch bool) *eventv1.TargetNumber {
	dv := defense(t, touch)
	if m := useFeint(r, c, t); m != nil && m.Value != 0 {
		dv.Value += m.Value
		dv.Modifiers = append(dv.Modifiers, m)
	}
	for _, m := range useAid(r, t.Id, "defense", c.Id) {
		dv.Value += m.Value
		dv.Modifiers = append(dv.Modifiers, m)
	}
	return dv
}

// attackEdges are the sources of advantage and disadvantage on an attack.
//
// celesia.attack.into-melee, celesia.feat.precise-shot
func attackEdges(r *rules.Resolution, a attack, c, t *eventv1.Creature) []*eventv1.Edge {
	w := a.weapon
	broken := c.Items[w.Name].GetValues()["broken"] > 0
	edges := edgesOf(c, t, rollKind{roll: rollAttack, ranged: ranged(w), broken: broken})
	if spoken.Truth(a.take.GetFacts(), "flanked") && !has(t, condFlanked) {
		edges = append(edges, &eventv1.Edge{Advantage: true, Kind: "celesia.dice.adv-target-flanked", Source: t.Name + " flanked", Rule: "celesia.dice.adv-target-flanked", Stated: true})
	}
	if has(c, condDefensive) {
		edges = append(edges, defensiveEdge())
	}
	if ranged(w) && !feature(c, featPreciseShot) && intoMelee(r.State(), a.take, c, t) {
		edges = append(edges, &eventv1.Edge{Kind: "into-melee", Source: "shooting into a melee", Rule: "celesia.attack.into-melee"})
	}
	if e := natureEdge(r, a, c); e != nil {
		edges = append(edges, e)
	}
	return edges
}

// defensiveEdge is what fighting defensively costs every attack roll.
//
// celesia.attack.fighting-defensively
func defensiveEdge() *eventv1.Edge {
	return &eventv1.Edge{Kind: condDefensive, Source: "fighting defensively", Rule: "celesia.attack.fighting-defensively"}
}

// nature is the nature of an attack's damage: as the weapon's, or as declared.
//
// celesia.damage.unarmed
func nature(a attack) string {
	declared := spoken.Word(a.take.GetParameters(), "damage")
	if declared == "nonlethal" || declared == "" && a.weapon.Nonlethal {
		return natureNonlethal
	}
	return ""
}

// turned tells whether the damage is not of the weapon's own nature, which
// hampers the attack; Improved Unarmed Strike lifts that for unarmed strikes.
//
// celesia.attack.nonlethal-with-lethal-weapon, celesia.attack.lethal-with-nonlethal-weapon,
// celesia.damage.unarmed-lethal
func turned(a attack, c *eventv1.Creature) bool {
	if (nature(a) == natureNonlethal) == a.weapon.Nonlethal {
		return false
	}
	return !(a.weapon.Kind == kindUnarmed && feature(c, featImprovedUnarmed))
}

func natureEdge(r *rules.Resolution, a attack, c *eventv1.Creature) *eventv1.Edge {
	if !turned(a, c) || a.weapon.Kind == kindUnarmed && r.Value(setLethalUnarmed) == "penalty" {
		return nil
	}
	rule := "celesia.attack.nonlethal-with-lethal-weapon"
	if a.weapon.Nonlethal {
		rule = "celesia.attack.lethal-with-nonlethal-weapon"
	}
	return &eventv1.Edge{Kind: "nature", Source: "not the weapon's own kind of damage", Rule: rule}
}

// intoMelee tells whether a shot goes into a melee with an ally of the shooter:
// as stated, else as measured.
//
// celesia.attack.into-melee, celesia.attack.engaged-definition,
// celesia.attack.into-melee-distance, celesia.attack.into-melee-size
func intoMelee(s *eventv1.State, take *eventv1.TakeAction, c, t *eventv1.Creature) bool {
	if v, ok := take.GetFacts().GetFields()["into_melee"]; ok {
		return v.GetBoolValue()
	}
	if feet, ok := spoken.Number(take.GetFacts(), "part_feet"); ok && feet >= 10 {
		return false // the part aimed at is far enough from every ally
	}
	near, engaged := false, false
	// order-free: only whether there is one counts
	for _, ally := range s.Creatures {
		if ally.Side != c.Side || ally.Id == c.Id || ally.Side == t.Side || dead(ally) {
			continue
		}
		feet, known := distance(ally, t)
		if !known {
			continue
		}
		near = near || feet < 10
		small := sizeOf(t)-sizeOf(ally) >= 3
		engaged = engaged || !small && engages(ally, t)
	}
	return near && engaged
}

// engages tells whether two enemies are engaged in melee: one of them threatens
// the other and neither is immobilised.
//
// celesia.attack.engaged-definition
func engages(a, b *eventv1.Creature) bool {
	if helpless(a) || helpless(b) || has(a, condPinned) || has(b, condPinned) {
		return false
	}
	return able(a) && reaches(a, b) || able(b) && reaches(b, a)
}

// reaches tells whether a creature threatens another with anything.
func reaches(c, foe *eventv1.Creature) bool {
	return slices.ContainsFunc(sheetOf(c).Weapons, func(w *eventv1.CelesiaWeapon) bool { return threatens(c, foe, w, nil) })
}

// makeAttack rolls an attack and has its damage done. It tells whether it hit.
//
// celesia.critical.threat, celesia.damage.degrees-weapon
func makeAttack(r *rules.Resolution, a attack) bool {
	c, t, w := r.Creature(a.by), r.Creature(a.target), a.weapon
	noteAttack(r, c.Id, w)
	feet, known := apart(a.take, c, t)
	mods := append(append(attackModifiers(c, w, feet, known), tradedRoll(c, a)...), a.more...)
	mods = append(mods, mountedRoll(r.State(), c, t, w)...)
	if aim := int32(c.Counters[cAim]); ranged(w) && aim > 0 && a.label == "attack/1" {
		mods = append(mods, mod(aim, "steady aim", "celesia.attack.steady-aim"))
	}
	if turned(a, c) && w.Kind == kindUnarmed && r.Value(setLethalUnarmed) == "penalty" {
		mods = append(mods, mod(-4, "lethal unarmed strike", "celesia.damage.unarmed-lethal"))
	}
	edges, more := stated(a.take.GetCircumstances(), t.Id)
	mods = append(mods, useAid(r, c.Id, "attack", t.Id)...)
	dv := defenseAgainst(r, c, t, w.Touch)
	rolled := d20{label: a.label + "/to-hit", creature: c.Id, reason: w.Name + " against " + t.Name,
		modifiers: append(mods, more...), edges: append(attackEdges(r, a, c, t), edges...), target: dv,
		judge: judgeAttack(r.On(setNaturalFaces), dv.Value, threatOf(w), !immune(t, immuneCritical)),
		rules: []string{"celesia.attack.melee-bonus", "celesia.damage.degrees-weapon"}}.roll(r)
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: w.Name, Outcome: outcomeWord(rolled)})
	discharge(r, c.Id, w)
	hit, ends := false, t.Position
	switch {
	case mishap(r, a, rolled):
	case rolled.Success():
		hit = true
		inc := rolled.Degree
		if most, ok := spoken.Number(a.take.GetParameters(), "degrees"); ok {
			inc = max(0, min(inc, most))
		}
		harm(r, a, inc, rolled.Outcome == "critical", "")
	case ranged(w):
		ends = stray(r, a, rolled)
	}
	if w.Kind == kindThrown {
		lay(r, c.Id, w.Name, ends, "thrown", "celesia.attack.ranged-target")
	}
	return hit
}

// judgeAttack names the outcome of an attack roll: the face that is kept
// threatens only when the attack hits.
func judgeAttack(naturals bool, dv, threat int32, vulnerable bool) func(natural, total int32) (string, int32) {
	return func(natural, total int32) (string, int32) {
		hit := total >= dv
		if naturals && natural == 20 {
			hit = true
		}
		if naturals && natural == 1 {
			hit = false
		}
		inc := max(0, degree(total-dv, 10))
		switch {
		case !hit:
			return "failure", 0
		case natural >= threat && vulnerable:
			return "critical", inc
		}
		return "success", inc
	}
}

func outcomeWord(rolled rules.Rolled) string {
	switch rolled.Outcome {
	case "critical":
		return "critical"
	case "success":
		return "hit"
	}
	return "miss"
}
