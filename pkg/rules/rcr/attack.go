package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// attackPlan is one attack with everything that its circumstances come to.
type attackPlan struct {
	// atk is the weapon or natural attack.
	atk *eventv1.RcrAttack
	// kind of attack.
	kind attackKind
	// thrown: the weapon leaves the hand.
	thrown bool
	// twoHanded: a versatile weapon in both hands.
	twoHanded bool
	// cover in words.
	cover string
	// notes say which facts were stated and which measured.
	notes []string
}

// attackOpts are what makes one attack differ from another of its kind.
type attackOpts struct {
	// label of the attack's rolls; empty means "attack/1".
	label string
	// kind of attack.
	kind attackKind
	// cover in words; empty for none.
	cover string
	// edges and mods beyond those of conditions and wounds.
	edges []*eventv1.Edge
	mods  []*eventv1.Modifier
	// damage parts in place of the attack's own; nil for those.
	damage []*eventv1.RcrDamage
	// damageMod is added to the first part of the damage.
	damageMod *eventv1.Modifier
	// rules behind the attack besides the attack roll's own.
	rules []string
}

// attackOf finds an attack of the sheet by its name; nil when there is none.
func attackOf(c *eventv1.Creature, name string) *eventv1.RcrAttack {
	for _, a := range sheetOf(c).Attacks {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// property tells whether an attack has a property.
func property(a *eventv1.RcrAttack, name string) bool {
	return slices.Contains(a.GetProperties(), name)
}

// inHand tells whether an attack is ready: natural attacks and spells always are.
func inHand(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	if a.Natural || a.Spell {
		return true
	}
	if it := c.GetItems()[a.Name]; it != nil {
		return it.Place == "main" || it.Place == "off" || it.Place == "both"
	}
	return a.Hand == "" || a.Hand == "main" || a.Hand == "off"
}

// usesLeft tells whether a limited thing may be used once more.
func usesLeft(c *eventv1.Creature, name string, u *eventv1.RcrUsage) bool {
	return !limited(u) || c.GetCounters()[cLeft+name] > 0
}

func limited(u *eventv1.RcrUsage) bool { return u.GetUses() > 0 || u.GetRecharge() == "recharge" }

// refuseWeapon says why an attack cannot be made whatever the target.
func refuseWeapon(c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = "rcr.base.fifth-edition-fallback"
	switch {
	case !inHand(c, a):
		return refuse("NOT_IN_HAND", frame, "%s is not in hand", a.Name)
	case property(a, "reload") && c.GetItems()[a.Name] != nil && c.Items[a.Name].Values["loaded"] < 1:
		return refuse("NOT_LOADED", frame, "%s is not loaded", a.Name)
	case !usesLeft(c, a.Name, a.Usage):
		return refuse("NO_USES", frame, "%s is spent", a.Name)
	}
	return nil
}

// planAttack works out an attack on a target and refuses what cannot be. The
// take may be nil: then nothing is stated.
func planAttack(s *eventv1.State, c, target *eventv1.Creature, a *eventv1.RcrAttack, take *eventv1.TakeAction) (*attackPlan, error) {
	const frame = "rcr.base.fifth-edition-fallback"
	switch {
	case target.Id == c.Id:
		return nil, refuse("SELF", frame, "%s cannot attack itself", c.Name)
	case dead(target):
		return nil, refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
	case charmedBy(c, target.Id):
		return nil, refuse("CHARMED", frame, "%s is charmed by %s", c.Name, target.Name)
	}
	if err := refuseWeapon(c, a); err != nil {
		return nil, err
	}
	p := &attackPlan{atk: a, cover: word(take.GetFacts(), "cover")}
	switch p.cover {
	case "", "none", coverHalf, coverThreeQuarters:
	case coverTotal:
		return nil, refuse("TOTAL_COVER", "rcr.base.half-cover", "%s has total cover", target.Name)
	default:
		return nil, fault.Field("take.facts.cover", "%q is not none, half, three-quarters or total", p.cover)
	}
	p.kind = attackKind{spell: a.Spell, distance: -1}
	if feet, ok := number(take.GetFacts(), "distance"); ok {
		if feet < 0 {
			return nil, fault.Field("take.facts.distance", "%d is less than 0 feet", feet)
		}
		p.kind.distance = feet
		p.notes = append(p.notes, "distance "+itoa(feet)+" feet (stated)")
	} else if feet, ok := distance(c, target); ok {
		p.kind.distance = feet
		p.notes = append(p.notes, "distance "+itoa(feet)+" feet (measured)")
	}
	if err := p.reachAndRange(target, take); err != nil {
		return nil, err
	}
	p.surroundings(s, c, target, take)
	return p, p.hands(c, take)
}

// reachAndRange decides between melee and ranged and holds reach and range.
func (p *attackPlan) reachAndRange(target *eventv1.Creature, take *eventv1.TakeAction) error {
	const frame = "rcr.base.fifth-edition-fallback"
	a, feet := p.atk, p.kind.distance
	reached := a.ReachFeet > 0 && feet <= a.ReachFeet
	switch mode := word(take.GetParameters(), "mode"); mode {
	case "":
		p.kind.melee = reached || a.RangeFeet == 0
	case "melee":
		p.kind.melee = true
	case "ranged":
	default:
		return fault.Field("take.parameters.mode", "%q is not melee or ranged", mode)
	}
	long := max(a.LongRangeFeet, a.RangeFeet)
	switch {
	case p.kind.melee && !reached:
		return refuse("OUT_OF_REACH", frame, "%s is out of the reach of %s", target.Name, a.Name)
	case !p.kind.melee && (a.RangeFeet == 0 || feet > long):
		return refuse("OUT_OF_RANGE", frame, "%s is out of the range of %s", target.Name, a.Name)
	}
	p.thrown = !p.kind.melee && property(a, "thrown")
	p.kind.longRange = !p.kind.melee && (feet > a.RangeFeet || truth(take.GetFacts(), "long_range"))
	return nil
}

// surroundings finds who or what stands about; a stated fact beats a measured one.
func (p *attackPlan) surroundings(s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) {
	fields := take.GetFacts().GetFields()
	if _, ok := fields["between"]; ok {
		p.kind.between = truth(take.Facts, "between")
		p.notes = append(p.notes, "between (stated)")
	} else {
		p.kind.between = standsBetween(s, c, target)
	}
	if p.kind.melee {
		return
	}
	if _, ok := fields["close_enemy"]; ok {
		p.kind.closeEnemy = truth(take.Facts, "close_enemy")
		p.notes = append(p.notes, "close enemy (stated)")
		return
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		e := s.Creatures[id]
		if feet, ok := distance(e, c); ok && feet <= 5 && hostile(e, c) && !incapacitated(e) && perceives(s, e, c, feet) {
			p.kind.closeEnemy = true
		}
	}
}

// hands holds what the hands must be free for.
func (p *attackPlan) hands(c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch word(take.GetParameters(), "hands") {
	case "", "one":
		return nil
	case "two":
	default:
		return fault.Field("take.parameters.hands", "must be one or two")
	}
	if err := refuseTwoHands(c, p.atk); err != nil {
		return err
	}
	p.twoHanded = true
	return nil
}

func refuseTwoHands(c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = "rcr.base.fifth-edition-fallback"
	if len(a.TwoHandedDamage) == 0 {
		return refuse("NOT_VERSATILE", frame, "%s is not versatile", a.Name)
	}
	if sheetOf(c).Shield == eventv1.RcrSheet_SHIELD_SHIELD {
		return refuse("NO_FREE_HAND", frame, "%s carries a shield", c.Name)
	}
	for _, name := range rules.SortedKeys(c.GetItems()) {
		if name != a.Name && c.Items[name].Place == "off" {
			return refuse("NO_FREE_HAND", frame, "%s holds %s in the other hand", c.Name, name)
		}
	}
	return nil
}

// standsBetween tells whether a creature stands on the line between two,
// measured from the middle of one space to the middle of the other.
//
// rcr.condition.crouching-ranged
func standsBetween(s *eventv1.State, a, b *eventv1.Creature) bool {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return false
	}
	const steps = 64
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if id == a.Id || id == b.Id || c.Position == nil || dead(c) {
			continue
		}
		for i := int32(1); i < steps; i++ {
			// Twice the feet, so that middles of spaces are whole numbers.
			if inSpan(2*a.Position.X+spaceFeet(a), 2*b.Position.X+spaceFeet(b), i, steps, c.Position.X, spaceFeet(c)) &&
				inSpan(2*a.Position.Y+spaceFeet(a), 2*b.Position.Y+spaceFeet(b), i, steps, c.Position.Y, spaceFeet(c)) &&
				inSpan(2*a.Position.Z+spaceFeet(a), 2*b.Position.Z+spaceFeet(b), i, steps, c.Position.Z, spaceFeet(c)) {
				return true
			}
		}
	}
	return false
}

// inSpan tells whether the point i/steps of the way from a to b, in half feet,
// lies inside a span of feet.
func inSpan(a, b, i, steps, from, size int32) bool {
	at := a*(steps-i) + b*i
	return at > 2*from*steps && at < 2*(from+size)*steps
}

// makeAttack rolls an attack, deals its damage and lays its effects.
//
// rcr.base.attack-and-critical
func makeAttack(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o attackOpts) bool {
	if o.label == "" {
		o.label = "attack/1"
	}
	outcome, note := "critical", "no roll: target helpless"
	if !has(target, condHelpless) { // rcr.condition.helpless-attacks
		outcome, note = rollToHit(r, attacker, target, atk, o)
	}
	behind := append([]string{"rcr.base.attack-and-critical"}, o.rules...)
	if note != "" && has(target, condHelpless) {
		behind = append([]string{"rcr.condition.helpless-attacks"}, o.rules...)
	}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: attacker.Id, Target: target.Id, Weapon: atk.Name, Outcome: outcome, Note: note}, behind...)
	reveal(r, attacker, target)
	if outcome == "miss" {
		return false
	}
	dealHit(r, attacker, target, atk, o, outcome == "critical")
	return true
}

func rollToHit(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o attackOpts) (outcome, note string) {
	ac := armorClass(r, target, attacker, !o.kind.melee, o.cover)
	criticalFrom := atk.CriticalFrom
	if criticalFrom == 0 {
		criticalFrom = 20
	}
	mods := append([]*eventv1.Modifier{mod(atk.Bonus, atk.Name, "")}, o.mods...)
	rolled := d20{label: o.label + "/to-hit", creature: attacker, reason: attacker.Name + " attacks " + target.Name + " with " + atk.Name,
		modifiers: mods, edges: append(attackEdges(r, attacker, target, o.kind), o.edges...), target: ac,
		judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 1:
				return "failure", 0
			case natural >= 20, natural >= criticalFrom && total >= ac.Value:
				return "critical", 0
			case total >= ac.Value:
				return "success", 0
			}
			return "failure", 0
		}, rules: []string{"rcr.base.attack-and-critical"}}.roll(r)
	switch {
	case !rolled.Success():
		return "miss", ""
	case rolled.Outcome == "critical":
		return "critical", ""
	case has(target, condParalyzed) && (r.Value(setParalyzedFiveFeet) != "on" || within5(o.kind)):
		return "critical", "the target is paralysed" // rcr.condition.paralyzed-common
	case has(target, condUnconscious) && within5(o.kind):
		return "critical", "the target is unconscious"
	}
	return "hit", ""
}

// within5 tells whether an attack is made from within 5 feet; a melee attack
// from nobody knows where is.
func within5(k attackKind) bool {
	return k.distance >= 0 && k.distance <= 5 || k.distance < 0 && k.melee
}

// reveal ends what an attack uses up: the attacker's hiding, an ally's help.
func reveal(r *rules.Resolution, attacker, target *eventv1.Creature) {
	for _, x := range slices.Clone(r.Creature(attacker.Id).Conditions) {
		if x.Name == condHidden {
			r.RemoveCondition(attacker.Id, x, "it attacked", "rcr.base.fifth-edition-fallback")
		}
	}
	if h := helpAgainst(r.Creature(attacker.Id), target.Id); h != nil {
		r.RemoveCondition(attacker.Id, h, "used", "rcr.base.fifth-edition-fallback")
	}
}

// dealHit rolls the damage of a hit, the saving throw that goes with it, and
// deals all of it as one source.
func dealHit(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o attackOpts, critical bool) {
	dmg := o.damage
	if dmg == nil {
		dmg = atk.Damage
	}
	var parts []*eventv1.DamagePart
	for i, part := range dmg {
		var mods []*eventv1.Modifier
		if i == 0 && o.damageMod != nil {
			mods = []*eventv1.Modifier{o.damageMod}
		}
		parts = append(parts, rollDamage(r, o.label+"/damage", attacker.Id, atk.Name, part, critical, mods...))
	}
	saved := false
	if atk.Save != nil {
		purpose := effectPurpose(atk.Effects)
		saved = rollSave(r, o.label+"/save", r.Creature(target.Id), atk.Save.Ability, effectDC(attacker, atk.Save.Dc), purpose,
			r.Creature(attacker.Id), saveOpts{}).Success()
	}
	for _, part := range atk.SaveDamage {
		p := rollDamage(r, o.label+"/save-damage", attacker.Id, atk.Name, part, false)
		if p.Rolled = afterSave(p.Rolled, atk.Save, saved); p.Rolled > 0 || atk.Save.GetHalfOnSuccess() {
			parts = append(parts, p)
		}
	}
	if len(parts) > 0 {
		damageDeed(r, o.label+"/harm", r.Creature(target.Id), r.Creature(attacker.Id), atk.Name, parts, critical, weaponFacts(atk))
	}
	if !saved {
		layEffects(r, attacker, target, atk.Name, atk.Effects, atk.Save)
	}
}

// afterSave is what is left of damage after a saving throw.
func afterSave(rolled int32, save *eventv1.RcrSave, saved bool) int32 {
	switch {
	case !saved:
		return rolled
	case save.GetHalfOnSuccess():
		return rolled / 2
	}
	return 0
}

// effectPurpose is what a saving throw against effects is about.
func effectPurpose(effects []*eventv1.RcrEffect) string {
	for _, e := range effects {
		if e.Condition == condProne {
			return "stay-up"
		}
	}
	return ""
}

func weaponFacts(a *eventv1.RcrAttack) map[string]string {
	facts := map[string]string{}
	for _, f := range []struct {
		name string
		is   bool
	}{{"magical", a.Magical || a.Spell}, {"silvered", a.Silvered}, {"adamantine", a.Adamantine}} {
		if f.is {
			facts[f.name] = "yes"
		}
	}
	return facts
}

// rollDamage rolls one part of a damage; never less than 0.
func rollDamage(r *rules.Resolution, label, creature, cause string, part *eventv1.RcrDamage, critical bool, mods ...*eventv1.Modifier) *eventv1.DamagePart {
	expr := part.Dice
	if critical {
		expr = doubleDice(expr)
	}
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: creature, Expression: expr, Modifiers: mods,
		Reason: strings.TrimSpace(part.Type + " damage of " + cause), Rules: []string{"rcr.base.attack-and-critical"}})
	return &eventv1.DamagePart{Type: part.Type, Rolled: max(0, rolled.Total)}
}

// doubleDice doubles the number of every kind of dice in an expression and
// leaves flat numbers as they are: "1d8+3" becomes "2d8+3".
//
// rcr.base.attack-and-critical
func doubleDice(expr string) string {
	var b strings.Builder
	for i := 0; i < len(expr); {
		j := i
		for j < len(expr) && expr[j] >= '0' && expr[j] <= '9' {
			j++
		}
		if j < len(expr) && (expr[j] == 'd' || expr[j] == 'D') && j+1 < len(expr) && expr[j+1] >= '0' && expr[j+1] <= '9' {
			count := 1
			if j > i {
				count = atoi(expr[i:j])
			}
			b.WriteString(itoa(2*count) + "d")
			i = j + 1
			for i < len(expr) && expr[i] >= '0' && expr[i] <= '9' {
				b.WriteByte(expr[i])
				i++
			}
			continue
		}
		if j == i {
			j++
		}
		b.WriteString(expr[i:j])
		i = j
	}
	return b.String()
}

func atoi(digits string) int {
	n := 0
	for _, d := range digits {
		n = min(n*10+int(d-'0'), 1_000_000)
	}
	return n
}
