package strike

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Blow is one attack: who strikes with what and under which circumstances.
type Blow struct {
	Attacker, Target *eventv1.Creature
	Weapon           *eventv1.OriginalWeapon
	Label            string
	// Melee tells a blow from a shot or throw; band is the range band of these.
	Melee bool
	Band  string
	// Position is "", "flank" or "behind"; unseen: by surprise or against one
	// who is helpless.
	Position string
	Unseen   bool
	// ambush: from behind or by surprise, so that the target is caught.
	ambush bool
	// Charge, set, parting, backstab: what kind of blow it is.
	Charge, Set, Parting, Backstab bool
	// Subdue and pull: what the damage is meant to do.
	Subdue, pull bool
	// Passing: at one who comes by, with whom the attacker is not in melee.
	Passing bool
	// hitBy and damageBy are the swashbuckler's choices, "str" or "dex"; empty
	// takes the better.
	hitBy, damageBy string
	// Stationary, cover, higher and wall are stated facts.
	Stationary, wall bool
	cover            int32
	higher           string
	stated           []*eventv1.Circumstance
	facts            *structpb.Struct
	// NoDamage: a hold, not a wound.
	NoDamage bool
	// looked is the roll that situations were last asked about.
	looked situation.Roll[*Blow]
	// content and the tables by it that the blow is decided by; nil means the book's own.
	content *effects.Book
	tables  *Tables
}

// By has the blow decided with content.
func (b *Blow) By(made *effects.Book) { b.content, b.tables = made, TablesOf(made) }

func (b *Blow) book() *Tables {
	if b.tables == nil {
		return Book
	}
	return b.tables
}

// AtHand is the command of one who strikes first at the attacker of the blow.
func (b *Blow) AtHand() *eventv1.TakeAction { return body.AtHandOf(b.facts) }

// Told are the facts of the world that the blow goes by.
func (b *Blow) Told(r *rules.Resolution) []*eventv1.UsedFact {
	feet := body.Distance(b.Attacker, b.Target)
	return r.UsedFacts(b.facts, feet, feet >= 0, b.Attacker.Id, b.Target.Id)
}

// dexBonus and strBonus are what an ability of the attacker is worth.
func (b *Blow) dexBonus() int32 { return b.book().DexBonus(b.Attacker) }
func (b *Blow) strBonus() int32 { return b.book().StrBonus(b.Attacker) }

// byDex and byStr are modifiers by these: a changed row of the table of abilities is
// cited in place of the rule.
func (b *Blow) byDex(value int32, rule string) *eventv1.Modifier {
	return body.Mod(value, "DEX", b.book().AbilityRule(b.Attacker, "dexterity", rule))
}

func (b *Blow) byStr(rule string) *eventv1.Modifier {
	return body.Mod(b.strBonus(), "STR", b.book().AbilityRule(b.Attacker, "strength", rule))
}

// NewBlow reads an attack out of a command; whether it is legal is not checked.
func NewBlow(s *eventv1.State, c, target *eventv1.Creature, w *eventv1.OriginalWeapon, take *eventv1.TakeAction) *Blow {
	f, p := take.GetFacts(), take.GetParameters()
	b := &Blow{Attacker: c, Target: target, Weapon: w, Label: "attack", Position: spoken.Word(f, "position"), higher: spoken.Word(f, "higher"),
		wall: spoken.Truth(f, "back_to_wall"), Stationary: spoken.Truth(f, "stationary"), Subdue: spoken.Truth(p, "subdue"), pull: spoken.Truth(p, "pull"),
		hitBy: spoken.Word(p, "to_hit"), damageBy: spoken.Word(p, "damage"), stated: take.GetCircumstances(), facts: f}
	b.cover, _ = spoken.Number(f, "cover")
	switch {
	case b.Position == "front":
		b.Position = ""
	case b.Position == "" && body.Is(c, body.RelFlanks, target.Id):
		b.Position = "flank" // original.condition.partially-surprised
	}
	b.Melee, b.Band = body.ReachOf(c, target, w, take)
	b.see(s)
	return b
}

// MannerRefused says why a creature cannot strike in the manner that a command
// gives: by DEX, or with a punch that is pulled.
//
// original.attack.melee-swashbuckler-dex, original.damage.pull-punches
func MannerRefused(at *play.At) error {
	w := WeaponAt(at)
	switch {
	case (at.Word("to_hit") == "dex" || at.Word("damage") == "dex") && !swashbuckler(at.State, at.Actor, w):
		return body.Refuse("NO_SWASHBUCKLER", cite.AttackMeleeSwashbucklerDex, "%s may not fight by DEX with %s", at.Actor.Name, w.Name)
	case at.Truth("pull") && w.Kind != "hand":
		return body.Refuse("NO_PUNCH", cite.DamagePullPunches, "only punches can be pulled")
	}
	return nil
}

// see finds out whether the target can defend itself against the blow: in the
// round after an ambush it can, whatever the position.
//
// original.surprise.attacks-as-behind, original.attack.behind-second-round, original.attack.backstab-first-only
func (b *Blow) see(s *eventv1.State) {
	if body.AmbushedLast(s, b.Attacker, b.Target) && b.Position == "behind" {
		b.Position = ""
	}
	b.ambush = s.Round == 0 && body.Surprised(b.Target) || b.Attacker.Counters[body.CBackstabs] > 0
	b.Unseen = b.ambush || body.Out(b.Target) || Defenceless(b.Target) != nil
}

// swashbuckler tells whether one may fight by DEX with a weapon.
//
// original.attack.melee-swashbuckler-dex
func swashbuckler(s *eventv1.State, c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	class := body.SheetOf(c).Class
	who := class == "fighter" || class == "pirate" || body.Defaults.On(s, body.SetSwashbuckle) && body.FighterClass(c)
	return who && body.SheetOf(c).LightArmor && w.Hands <= 1 && !body.Missile(w) && !body.Natural(w) && !w.Untrained
}

// abilityToHit is what ability adds to hit.
func (b *Blow) abilityToHit(s *eventv1.State) *eventv1.Modifier {
	c, w := b.Attacker, b.Weapon
	dex := b.dexBonus()
	if b.Charge {
		dex = min(0, dex) // original.charge.no-dex
	}
	switch {
	case classless(c) && !b.byOwnBonus(w.RangedAbilityToHit):
		return body.Mod(0, "no class", cite.AttackMeleeOthersStr16)
	case !b.Melee && w.RangedAbilityToHit != "":
		return b.rangedAbility(w.RangedAbilityToHit, dex, cite.AttackRangedDex)
	case w.Kind == "firearm":
		return body.Mod(0, "firearm", cite.AttackRangedDex)
	case w.Kind == "great-bow":
		return b.byStr(cite.AttackGreatBowStr)
	case !b.Melee:
		return b.byDex(dex, cite.AttackRangedDex)
	case w.Untrained:
		return body.Mod(strong(c), "STR 16", cite.AttackUntrainedToHit)
	case swashbuckler(s, c, w) && (b.hitBy == "dex" || b.hitBy == "" && dex > b.strBonus()):
		return b.byDex(dex, cite.AttackMeleeSwashbucklerDex)
	case body.FighterClass(c):
		return b.byStr(cite.AttackMeleeFighterStr)
	case body.Thief(c):
		return b.byDex(dex, cite.AttackMeleeThiefDex)
	}
	return body.Mod(strong(c), "STR 16", cite.AttackMeleeOthersStr16)
}

// classless tells whether abilities say nothing of a creature's attacks: units, and
// monsters, whose numbers are on their sheets.
//
// original.attack.melee-others-str16
func classless(c *eventv1.Creature) bool {
	return body.IsUnit(c) || body.SheetOf(c).Class == "" && !body.SheetOf(c).IsPc
}

// byOwnBonus tells whether a blow is a shot or throw by an ability whose bonus is on
// the sheet itself: that one adds it whatever it is, for bows and thrown weapons know
// no class. By is the ability that the weapon goes by, empty for that of its kind.
//
// original.attack.ranged-dex, original.attack.great-bow-str
func (b *Blow) byOwnBonus(by string) bool {
	sh := body.SheetOf(b.Attacker)
	switch {
	case b.Melee || body.IsUnit(b.Attacker):
		return false
	case by == "str" || by == "" && b.Weapon.Kind == "great-bow":
		return sh.StrBonus != nil
	}
	return sh.DexBonus != nil
}

// bent tells whether a weapon is a bow of some kind: what ability adds to its damage
// is the same for every class.
//
// original.damage.bow-dex, original.damage.great-bow-str
func bent(w *eventv1.OriginalWeapon) bool {
	return w.Kind == "bow" || w.Kind == "crossbow" || w.Kind == "great-bow"
}

// strong is the flat bonus of those who are neither fighters nor thieves.
func strong(c *eventv1.Creature) int32 {
	if body.Score(c, "strength") >= 16 {
		return 1
	}
	return 0
}

// AbilityToDamage is what ability adds to damage.
//
// original.damage.melee-fighter-str, original.damage.melee-thief-dex, original.damage.melee-others-str16,
// original.damage.thrown-fighter-str, original.damage.thrown-thief-dex, original.damage.thrown-others-str16
func (b *Blow) AbilityToDamage(s *eventv1.State) *eventv1.Modifier {
	c, w := b.Attacker, b.Weapon
	byFighter, byThief, byOthers := cite.DamageMeleeFighterStr, cite.DamageMeleeThiefDex, cite.DamageMeleeOthersStr16
	if !b.Melee {
		byFighter, byThief, byOthers = cite.DamageThrownFighterStr, cite.DamageThrownThiefDex, cite.DamageThrownOthersStr16
	}
	switch {
	case classless(c) && !(b.byOwnBonus(w.RangedAbilityDamage) && (w.RangedAbilityDamage != "" || bent(w))):
		return body.Mod(0, "no class", cite.DamageMeleeOthersStr16)
	case !b.Melee && w.RangedAbilityDamage != "":
		return b.rangedAbility(w.RangedAbilityDamage, b.dexBonus(), cite.AttackRangedDex)
	case w.Kind == "firearm":
		return body.Mod(0, "firearm", cite.DamageBowDex)
	case w.Kind == "great-bow":
		return b.byStr(cite.DamageGreatBowStr)
	case bent(w):
		return b.byDex(b.dexBonus(), cite.DamageBowDex)
	case w.Untrained:
		return body.Mod(strong(c), "STR 16", cite.DamageUntrained)
	case b.Melee && swashbuckler(s, c, w) && (b.damageBy == "dex" || b.damageBy == "" && b.dexBonus() > b.strBonus()):
		return b.byDex(b.dexBonus(), cite.DamageMeleeSwashbucklerDex)
	case body.FighterClass(c):
		return b.byStr(byFighter)
	case body.Thief(c):
		return b.byDex(b.dexBonus(), byThief)
	}
	return body.Mod(strong(c), "STR 16", byOthers)
}

// Modifiers are what is added to hit.
//
// original.attack.modifier-stacking, original.attack.surround-wall
func (b *Blow) Modifiers(s *eventv1.State) []*eventv1.Modifier {
	var mods []*eventv1.Modifier
	if a := b.abilityToHit(s); a.Value != 0 {
		mods = append(mods, a)
	}
	mods = append(mods, b.behindCover(b.book().Situations.Modifiers(b.roll(s, body.RollToHitKind)))...)
	if n := b.book().BackstabToHit(b.Attacker); b.Backstab && n != 0 { // in the place of the bonus for surprise
		mods = append(mods, body.Mod(n, "backstab", b.book().BackstabRule(b.Attacker)))
	}
	for _, c := range b.stated {
		if c.Direction == "modifier" && (c.Target == "" || c.Target == b.Target.Id) && c.Value != 0 {
			mods = append(mods, body.Mod(c.Value, cmp.Or(c.Cause, "as stated"), cite.AttackRoll))
		}
	}
	return mods
}

// behindCover puts the penalty of cover behind the modifiers of the range.
//
// original.attack.cover
func (b *Blow) behindCover(mods []*eventv1.Modifier) []*eventv1.Modifier {
	row := body.Find(b.book().Cover, b.cover)
	if row.Value == 0 {
		return mods
	}
	at := 0
	for at < len(mods) && mods[at].Rule == cite.AttackRangeBands {
		at++
	}
	return slices.Insert(mods, at, body.Mod(row.Value, "cover", cmp.Or(row.By, cite.AttackCover)))
}

// attackersOf lists the foes of a target that attack it in melee: up, in melee
// with it, not turned to somebody else and not in flight. The one striking now is among them.
//
// original.attack.surround-bonus
func attackersOf(s *eventv1.State, striking, target *eventv1.Creature) []string {
	return body.Those(s, func(c *eventv1.Creature) bool {
		switch {
		case c.Side == target.GetSide() || body.Dead(c):
			return false
		case c.Id == striking.Id:
			return true
		case !Able(s, c) || !body.InMelee(c, target) || body.Has(c, body.CondRouted) || body.Has(c, body.CondFleeing):
			return false
		}
		now := body.AttackingNow(s, c)
		return now == "" || now == target.Id
	})
}

// Edges are the sources of advantage and disadvantage.
//
// original.attack.behind-second-round, original.dice.advantage, original.dice.disadvantage
func (b *Blow) Edges(s *eventv1.State) []*eventv1.Edge {
	list := b.book().Situations.Edges(b.roll(s, body.RollToHitKind))
	for _, c := range b.stated {
		if c.Direction != "modifier" && (c.Target == "" || c.Target == b.Target.Id) {
			list = append(list, &eventv1.Edge{Advantage: c.Direction == "advantage", Kind: c.Kind, Source: c.Cause, Stated: true})
		}
	}
	return list
}

// ToHitDice are one d20, or two with advantage or disadvantage; both cancel.
func ToHitDice(edges []*eventv1.Edge) string {
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

// Harmless tells whether the weapon can never harm the target.
//
// original.critical.weapon-immunity
func (b *Blow) Harmless() bool {
	if main, other := b.pair(); main != nil {
		return !b.NoDamage && Immune(b.Target, main) && Immune(b.Target, other)
	}
	return !b.NoDamage && Immune(b.Target, b.Weapon)
}

// Immune tells whether a weapon can never harm a creature.
//
// original.critical.weapon-immunity
func Immune(target *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	only := body.SheetOf(target).HarmedOnlyBy
	return len(only) > 0 && !(w.Magic && slices.Contains(only, "magic")) && !(w.Silver && slices.Contains(only, "silver"))
}
