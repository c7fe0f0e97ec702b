package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
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

// usesOf is the counter of what is left of a limited thing: its own, or the one
// that it shares with others.
func usesOf(name string, u *eventv1.RcrUsage) string {
	if u.GetShared() != "" {
		name = u.Shared
	}
	return cLeft + name
}

// usesLeft tells whether a limited thing may be used once more.
func usesLeft(c *eventv1.Creature, name string, u *eventv1.RcrUsage) bool {
	return !limited(u) || c.GetCounters()[usesOf(name, u)] > 0
}

func limited(u *eventv1.RcrUsage) bool { return u.GetUses() > 0 || u.GetRecharge() == "recharge" }

// refuseWeapon says why an attack cannot be made whatever the target.
func refuseWeapon(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !inHand(c, a):
		return refuse("NOT_IN_HAND", frame, "%s is not in hand", a.Name)
	case property(a, "reload") && c.GetItems()[a.Name] != nil && c.Items[a.Name].Values["loaded"] < 1:
		return refuse("NOT_LOADED", frame, "%s is not loaded", a.Name)
	case property(a, "two-handed") && c.GetItems()[a.Name].GetPlace() == "both" && handsTaken(s, c) > 1:
		return refuse("NO_FREE_HAND", frame, "%s takes both hands, and %s has one about somebody else", a.Name, c.Name)
	case !usesLeft(c, a.Name, a.Usage):
		return refuse("NO_USES", frame, "%s is spent", a.Name)
	}
	return nil
}

// planAttack works out an attack on a target and refuses what cannot be. The
// take may be nil: then nothing is stated.
func planAttack(s *eventv1.State, c, target *eventv1.Creature, a *eventv1.RcrAttack, take *eventv1.TakeAction) (*attackPlan, error) {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case target.Id == c.Id:
		return nil, refuse("SELF", frame, "%s cannot attack itself", c.Name)
	case dead(target):
		return nil, refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
	case charmedBy(c, target.Id):
		return nil, refuse("CHARMED", frame, "%s is charmed by %s", c.Name, target.Name)
	}
	if err := refuseWeapon(s, c, a); err != nil {
		return nil, err
	}
	p := &attackPlan{atk: a, cover: spoken.Word(take.GetFacts(), "cover")}
	if p.cover == coverTotal {
		return nil, refuse("TOTAL_COVER", cite.BaseHalfCover, "%s has total cover", target.Name)
	}
	p.kind = attackKind{spell: a.Spell, distance: -1}
	if feet, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		p.kind.distance = feet
		p.notes = append(p.notes, "distance "+itoa(feet)+" feet (stated)")
	} else if feet, ok := distanceTo(c, target); ok {
		p.kind.distance = feet
		p.notes = append(p.notes, "distance "+itoa(feet)+" feet (measured)")
	}
	if err := p.reachAndRange(target, take); err != nil {
		return nil, err
	}
	p.surroundings(s, c, target, take)
	return p, p.hands(s, c, take)
}

// reachAndRange decides between melee and ranged and holds reach and range.
func (p *attackPlan) reachAndRange(target *eventv1.Creature, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	a, feet := p.atk, p.kind.distance
	reached := a.ReachFeet > 0 && feet <= a.ReachFeet
	switch mode := spoken.Word(take.GetParameters(), "mode"); mode {
	case "":
		p.kind.melee = reached || a.RangeFeet == 0
	case "melee":
		p.kind.melee = true
	case "ranged":
	default: // a way of moving, which other ways of the same action take
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
	p.kind.longRange = !p.kind.melee && (feet > a.RangeFeet || spoken.Truth(take.GetFacts(), "long_range"))
	return nil
}

// surroundings finds who or what stands about; a stated fact beats a measured one.
func (p *attackPlan) surroundings(s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) {
	fields := take.GetFacts().GetFields()
	if _, ok := fields["between"]; ok {
		p.kind.between = spoken.Truth(take.Facts, "between")
		p.notes = append(p.notes, "between (stated)")
	} else {
		p.kind.between = standsBetween(s, c, target)
	}
	if p.kind.melee {
		return
	}
	if _, ok := fields["close_enemy"]; ok {
		p.kind.closeEnemy = spoken.Truth(take.Facts, "close_enemy")
		p.notes = append(p.notes, "close enemy (stated)")
		return
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		e := s.Creatures[id]
		if feet, ok := distance(e, c); ok && !has(e, condHidden) && feet <= 5 && hostile(e, c) && !incapacitated(e) && perceives(s, e, c, feet) {
			p.kind.closeEnemy = true
		}
	}
}

// hands holds what the hands must be free for.
func (p *attackPlan) hands(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.GetParameters(), "hands") != "two" {
		return nil
	}
	if err := refuseTwoHands(s, c, p.atk); err != nil {
		return err
	}
	p.twoHanded = true
	return nil
}

func refuseTwoHands(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	if len(a.TwoHandedDamage) == 0 {
		return refuse("NOT_VERSATILE", frame, "%s is not versatile", a.Name)
	}
	if sheetOf(c).Shield == eventv1.RcrSheet_SHIELD_SHIELD {
		return refuse("NO_FREE_HAND", frame, "%s carries a shield", c.Name)
	}
	if handsTaken(s, c) > 1 {
		return refuse("NO_FREE_HAND", frame, "%s has its other hand full", c.Name)
	}
	return nil
}

// standsBetween tells whether a creature stands on the line between two,
// measured from the middle of one space to the middle of the other.
//
// rcr.condition.crouching-ranged
func standsBetween(s *eventv1.State, a, b *eventv1.Creature) bool {
	from, to := a.GetPosition(), placeKnown(b)
	if from == nil || to == nil {
		return false
	}
	const steps = 64
	for _, id := range rules.SortedKeys(s.Creatures) {
		c := s.Creatures[id]
		if id == a.Id || id == b.Id || c.Position == nil || dead(c) || has(c, condHidden) {
			continue
		}
		for i := int32(1); i < steps; i++ {
			// Twice the feet, so that middles of spaces are whole numbers.
			if inSpan(2*from.X+spaceFeet(a), 2*to.X+spaceFeet(b), i, steps, c.Position.X, spaceFeet(c)) &&
				inSpan(2*from.Y+spaceFeet(a), 2*to.Y+spaceFeet(b), i, steps, c.Position.Y, spaceFeet(c)) &&
				inSpan(2*from.Z+spaceFeet(a), 2*to.Z+spaceFeet(b), i, steps, c.Position.Z, spaceFeet(c)) {
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
