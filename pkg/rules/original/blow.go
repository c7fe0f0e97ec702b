package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// blow is one attack: who strikes with what and under which circumstances.
type blow struct {
	attacker, target *eventv1.Creature
	weapon           *eventv1.OriginalWeapon
	label            string
	// melee tells a blow from a shot or throw; band is the range band of these.
	melee bool
	band  string
	// position is "", "flank" or "behind"; unseen: by surprise or against one
	// who is helpless.
	position string
	unseen   bool
	// ambush: from behind or by surprise, so that the target is caught.
	ambush bool
	// charge, set, parting, backstab: what kind of blow it is.
	charge, set, parting, backstab bool
	// subdue and pull: what the damage is meant to do.
	subdue, pull bool
	// hitBy and damageBy are the swashbuckler's choices, "str" or "dex"; empty
	// takes the better.
	hitBy, damageBy string
	// stationary, cover, higher and wall are stated facts.
	stationary, wall bool
	cover            int32
	higher           string
	stated           []*eventv1.Circumstance
	// noDamage: a hold, not a wound.
	noDamage bool
}

// newBlow reads an attack out of a command; whether it is legal is not checked.
func newBlow(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) *blow {
	f, p := take.GetFacts(), take.GetParameters()
	b := &blow{attacker: c, target: target, weapon: w, label: "attack", position: spoken.Word(f, "position"), higher: spoken.Word(f, "higher"),
		wall: spoken.Truth(f, "back_to_wall"), stationary: spoken.Truth(f, "stationary"), subdue: spoken.Truth(p, "subdue"), pull: spoken.Truth(p, "pull"),
		hitBy: spoken.Word(p, "to_hit"), damageBy: spoken.Word(p, "damage"), stated: take.GetCircumstances()}
	b.cover, _ = spoken.Number(f, "cover")
	switch {
	case b.position == "front":
		b.position = ""
	case b.position == "" && target.Marks[mFlank+c.Id] != "":
		b.position = "flank" // original.condition.partially-surprised
	}
	b.melee, b.band = reachOf(c, target, w, take)
	b.see(s)
	return b
}

// mannerRefused says why a creature cannot strike in the manner that a command
// gives: by DEX, or with a punch that is pulled.
//
// original.attack.melee-swashbuckler-dex, original.damage.pull-punches
func mannerRefused(s *eventv1.State, c *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) error {
	p := take.GetParameters()
	switch {
	case (spoken.Word(p, "to_hit") == "dex" || spoken.Word(p, "damage") == "dex") && !swashbuckler(s, c, w):
		return refuse("NO_SWASHBUCKLER", cite.AttackMeleeSwashbucklerDex, "%s may not fight by DEX with %s", c.Name, w.Name)
	case spoken.Truth(p, "pull") && w.Kind != "hand":
		return refuse("NO_PUNCH", cite.DamagePullPunches, "only punches can be pulled")
	}
	return nil
}

// see finds out whether the target can defend itself against the blow: in the
// round after an ambush it can, whatever the position.
//
// original.surprise.attacks-as-behind, original.attack.behind-second-round, original.attack.backstab-first-only
func (b *blow) see(s *eventv1.State) {
	if ambushedLast(s, b.attacker, b.target) && b.position == "behind" {
		b.position = ""
	}
	b.ambush = s.Round == 0 && surprised(s, b.target) || b.melee && b.attacker.Marks[mBackstab] == itoa(s.Round)
	b.unseen = b.ambush || out(b.target) || helpless(b.target) != nil
}

// ambushedLast tells whether one creature attacked another by surprise or from
// behind in the round before; in the round after that nothing is left of it.
//
// original.attack.behind-second-round, original.attack.behind-third-round
func ambushedLast(s *eventv1.State, by, target *eventv1.Creature) bool {
	m := by.Marks[mAmbushed+target.Id]
	return m != "" && atoi(m)+1 == s.Round
}

// reachOf tells whether an attack is a blow or a shot, and the range band of a
// shot: "short", "medium", "long" or "beyond".
//
// original.attack.range-bands
func reachOf(c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) (melee bool, band string) {
	d := feetTo(c, target, take)
	near := d < 0 || d <= meleeFeet
	if !missile(w) && !spoken.Truth(take.GetParameters(), "throw") && (near || !ranged(w)) {
		return true, ""
	}
	switch {
	case spoken.Word(take.GetFacts(), "range") != "":
		return false, spoken.Word(take.GetFacts(), "range")
	case d < 0:
		return false, "medium"
	case d <= w.ShortFeet:
		return false, "short"
	case d <= w.MediumFeet:
		return false, "medium"
	case d <= w.LongFeet:
		return false, "long"
	}
	return false, "beyond"
}

// feetTo is how far a target is: as stated, or as measured; -1 when nobody
// knows.
func feetTo(c, target *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if spoken.Truth(take.GetFacts(), "in_reach") {
		return meleeFeet
	}
	if d, stated := spoken.Number(take.GetFacts(), "distance"); stated {
		return d
	}
	return distance(c, target)
}

// swashbuckler tells whether one may fight by DEX with a weapon.
//
// original.attack.melee-swashbuckler-dex
func swashbuckler(s *eventv1.State, c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	class := sheetOf(c).Class
	who := class == "fighter" || class == "pirate" || defaults.On(s, setSwashbuckle) && fighterClass(c)
	return who && sheetOf(c).LightArmor && w.Hands <= 1 && !missile(w) && !natural(w) && !w.Untrained
}

// abilityToHit is what ability adds to hit.
func (b *blow) abilityToHit(s *eventv1.State) *eventv1.Modifier {
	c, w := b.attacker, b.weapon
	dex := dexBonus(c)
	if b.charge {
		dex = min(0, dex) // original.charge.no-dex
	}
	switch {
	case isUnit(c) || sheetOf(c).Class == "" && !sheetOf(c).IsPc:
		return mod(0, "no class", cite.AttackMeleeOthersStr16)
	case !b.melee && w.RangedAbilityToHit != "":
		return rangedAbility(c, w.RangedAbilityToHit, dex, cite.AttackRangedDex)
	case !b.melee && w.Kind == "firearm":
		return mod(0, "firearm", cite.AttackRangedDex)
	case !b.melee && w.Kind == "great-bow":
		return mod(strBonus(c), "STR", cite.AttackGreatBowStr)
	case !b.melee:
		return mod(dex, "DEX", cite.AttackRangedDex)
	case w.Untrained:
		return mod(strong(c), "STR 16", cite.AttackUntrainedToHit)
	case swashbuckler(s, c, w) && (b.hitBy == "dex" || b.hitBy == "" && dex > strBonus(c)):
		return mod(dex, "DEX", cite.AttackMeleeSwashbucklerDex)
	case fighterClass(c):
		return mod(strBonus(c), "STR", cite.AttackMeleeFighterStr)
	case thief(c):
		return mod(dex, "DEX", cite.AttackMeleeThiefDex)
	}
	return mod(strong(c), "STR 16", cite.AttackMeleeOthersStr16)
}

// strong is the flat bonus of those who are neither fighters nor thieves.
func strong(c *eventv1.Creature) int32 {
	if score(c, "strength") >= 16 {
		return 1
	}
	return 0
}

// abilityToDamage is what ability adds to damage.
//
// original.damage.melee-fighter-str, original.damage.melee-thief-dex, original.damage.melee-others-str16,
// original.damage.thrown-fighter-str, original.damage.thrown-thief-dex, original.damage.thrown-others-str16
func (b *blow) abilityToDamage(s *eventv1.State) *eventv1.Modifier {
	c, w := b.attacker, b.weapon
	byFighter, byThief, byOthers := cite.DamageMeleeFighterStr, cite.DamageMeleeThiefDex, cite.DamageMeleeOthersStr16
	if !b.melee {
		byFighter, byThief, byOthers = cite.DamageThrownFighterStr, cite.DamageThrownThiefDex, cite.DamageThrownOthersStr16
	}
	switch {
	case isUnit(c) || sheetOf(c).Class == "" && !sheetOf(c).IsPc:
		return mod(0, "no class", cite.DamageMeleeOthersStr16)
	case !b.melee && w.RangedAbilityDamage != "":
		return rangedAbility(c, w.RangedAbilityDamage, dexBonus(c), cite.AttackRangedDex)
	case !b.melee && w.Kind == "firearm":
		return mod(0, "firearm", cite.DamageBowDex)
	case !b.melee && w.Kind == "great-bow":
		return mod(strBonus(c), "STR", cite.DamageGreatBowStr)
	case !b.melee && (w.Kind == "bow" || w.Kind == "crossbow"):
		return mod(dexBonus(c), "DEX", cite.DamageBowDex)
	case w.Untrained:
		return mod(strong(c), "STR 16", cite.DamageUntrained)
	case b.melee && swashbuckler(s, c, w) && (b.damageBy == "dex" || b.damageBy == "" && dexBonus(c) > strBonus(c)):
		return mod(dexBonus(c), "DEX", cite.DamageMeleeSwashbucklerDex)
	case fighterClass(c):
		return mod(strBonus(c), "STR", byFighter)
	case thief(c):
		return mod(dexBonus(c), "DEX", byThief)
	}
	return mod(strong(c), "STR 16", byOthers)
}

// modifiers are what is added to hit.
//
// original.attack.modifier-stacking, original.attack.surround-wall
func (b *blow) modifiers(s *eventv1.State) []*eventv1.Modifier {
	var mods []*eventv1.Modifier
	add := func(when bool, value int32, source, rule string) {
		if when && value != 0 {
			mods = append(mods, mod(value, source, rule))
		}
	}
	a := b.abilityToHit(s)
	add(true, a.Value, a.Source, a.Rule)
	add(b.band == "short", 1, "short range", cite.AttackRangeBands)
	add(b.band == "long", -1, "long range", cite.AttackRangeBands)
	add(true, -2*(min(max(b.cover, 0), 99)/25), "cover", cite.AttackCover)
	if b.melee {
		b.onHorse(add)
		add(!b.wall && b.target.Marks[mWall] == "" && len(attackersOf(s, b.attacker, b.target)) > 2, 1, "surrounded", cite.AttackSurroundBonus)
	}
	add(b.higher == "attacker", 1, "higher ground", cite.AttackHighGroundBonus)
	add(b.higher == "target", -1, "lower ground", cite.AttackLowGroundPenalty)
	behind := b.position == "behind" || b.unseen
	add(b.position == "flank" && !behind, 1, "flank", cite.AttackFlankBonus)
	if b.backstab { // in the place of the bonus for surprise
		add(true, backstabToHit(b.attacker), "backstab", cite.AttackBackstabBonusTable)
	} else {
		add(behind, 2, "from behind or by surprise", cite.AttackBehindBonus)
	}
	add(b.charge, 2, "charge", cite.ChargeBonus)
	add(b.set, 2, "set against a charge", cite.ChargeSetSpear)
	add(b.parting, 2, "parting shot", cite.MovementRetreatPartingShot)
	add(b.attacker.Marks[mWithdrawing] != "", -2, "fighting withdrawal", cite.MovementFightingWithdrawal)
	add(!b.parting && b.target.Marks[mFleeing] != "" && b.attacker.Marks[mPursues+b.target.Id] != "", 2, "pursuit", cite.MovementRetreatFasterPursuer)
	for _, c := range b.stated {
		add(c.Direction == "modifier" && (c.Target == "" || c.Target == b.target.Id), c.Value, c.Cause, "")
	}
	return mods
}

// onHorse weighs mounts: a polearm or long spear on foot cancels both sides.
//
// original.mount.mounted-bonus, original.mount.unmounted-penalty, original.mount.polearm-cancels
func (b *blow) onHorse(add func(when bool, value int32, source, rule string)) {
	up, foeUp := b.attacker.Marks[mMounted] != "", b.target.Marks[mMounted] != ""
	long := func(w *eventv1.OriginalWeapon) bool {
		return slices.Contains([]string{"polearm", "long-spear", "pike"}, w.Kind)
	}
	add(up && !foeUp && !long(inHand(b.target)), 1, "mounted", cite.MountMountedBonus)
	add(!up && foeUp && !long(b.weapon), -1, "on foot against a rider", cite.MountUnmountedPenalty)
}

// attackersOf lists the foes of a target that attack it in melee: up, in melee
// with it, not turned to somebody else and not in flight. The one striking now is among them.
//
// original.attack.surround-bonus
func attackersOf(s *eventv1.State, striking, target *eventv1.Creature) []string {
	var ids []string
	for _, id := range foes(s, target) {
		c := s.Creatures[id]
		if now := attackingNow(s, c); id == striking.Id ||
			able(s, c) && inMelee(c, target) && (now == "" || now == target.Id) && !has(c, condRouted) && c.Marks[mFleeing] == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// attackingNow is the foe that a creature attacked last, as long as it is in
// melee with it; empty for none.
func attackingNow(s *eventv1.State, c *eventv1.Creature) string {
	id := c.Marks[mAttacking]
	if t := s.Creatures[id]; t == nil || out(t) || !inMelee(c, t) {
		return ""
	}
	return id
}

// edges are the sources of advantage and disadvantage.
//
// original.attack.behind-second-round, original.dice.advantage, original.dice.disadvantage
func (b *blow) edges(s *eventv1.State) []*eventv1.Edge {
	var list []*eventv1.Edge
	if ambushedLast(s, b.attacker, b.target) {
		list = append(list, &eventv1.Edge{Advantage: true, Kind: "ambush", Source: "attacked by surprise last round", Rule: cite.AttackBehindSecondRound})
	}
	if ambushedLast(s, b.target, b.attacker) {
		list = append(list, &eventv1.Edge{Kind: "ambushed", Source: "was attacked by surprise last round", Rule: cite.AttackBehindSecondRound})
	}
	if main, _ := b.pair(); main != nil {
		list = append(list, &eventv1.Edge{Advantage: true, Kind: "florentine", Source: "two weapons", Rule: cite.AttackFlorentineAdvantage})
	}
	for _, c := range b.stated {
		if c.Direction != "modifier" && (c.Target == "" || c.Target == b.target.Id) {
			list = append(list, &eventv1.Edge{Advantage: c.Direction == "advantage", Kind: c.Kind, Source: c.Cause, Stated: true})
		}
	}
	return list
}

// toHitDice are one d20, or two with advantage or disadvantage; both cancel.
func toHitDice(edges []*eventv1.Edge) string {
	var up, down bool
	for _, e := range edges {
		up, down = up || e.Advantage, down || !e.Advantage
	}
	switch {
	case up && !down:
		return "2d20kh1"
	case down && !up:
		return "2d20kl1"
	}
	return "1d20"
}

// harmless tells whether the weapon can never harm the target.
//
// original.critical.weapon-immunity
func (b *blow) harmless() bool {
	if main, other := b.pair(); main != nil {
		return !b.noDamage && immune(b.target, main) && immune(b.target, other)
	}
	return !b.noDamage && immune(b.target, b.weapon)
}

// immune tells whether a weapon can never harm a creature.
//
// original.critical.weapon-immunity
func immune(target *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	only := sheetOf(target).HarmedOnlyBy
	return len(only) > 0 && !(w.Magic && slices.Contains(only, "magic")) && !(w.Silver && slices.Contains(only, "silver"))
}
