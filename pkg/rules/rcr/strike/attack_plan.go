package strike

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackPlan is one attack with everything that its circumstances come to.
type AttackPlan struct {
	// Atk is the weapon or natural attack.
	Atk *eventv1.RcrAttack
	// Kind of attack.
	Kind body.AttackKind
	// thrown: the weapon leaves the hand.
	thrown bool
	// twoHanded: a versatile weapon in both hands.
	twoHanded bool
	// Cover in words.
	Cover string
	// Damage of it, with what a feature adds.
	Damage []*eventv1.RcrDamage
	// Notes say which facts beside the distance were stated; the attack tells all that
	// it goes by.
	Notes []string
}

// UsesLeft tells whether a limited thing may be used once more.
func UsesLeft(c *eventv1.Creature, name string, u *eventv1.RcrUsage) bool {
	return !body.Limited(u) || c.GetCounters()[body.UsesOf(name, u)] > 0
}

// RefuseWeapon says why an attack cannot be made whatever the target, unless that
// is unread.
func RefuseWeapon(unread bool, s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !body.InHand(c, a):
		return play.RefuseUnless(unread, "NOT_IN_HAND", frame, "%s is not in hand", a.Name)
	case checks.Property(a, "reload") && c.GetItems()[a.Name] != nil && c.Items[a.Name].Values["loaded"] < 1:
		return play.RefuseUnless(unread, "NOT_LOADED", frame, "%s is not loaded", a.Name)
	case checks.Property(a, "two-handed") && c.GetItems()[a.Name].GetPlace() == "both" && body.HandsTaken(s, c) > 1:
		return play.RefuseUnless(unread, "NO_FREE_HAND", frame, "%s takes both hands, and %s has one about somebody else", a.Name, c.Name)
	case !UsesLeft(c, a.Name, a.Usage):
		return play.RefuseUnless(unread, "NO_USES", frame, "%s is spent", a.Name)
	}
	return refuseImprovised(s, c, a)
}

// RefuseStrike says why a creature cannot be attacked, the state of the weapon apart,
// unless that is unread.
func RefuseStrike(unread bool, s *eventv1.State, c, target *eventv1.Creature, a *eventv1.RcrAttack, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case target.Id == c.Id:
		return play.RefuseUnless(unread, "SELF", frame, "%s cannot attack itself", c.Name)
	case body.Dead(target):
		return play.RefuseUnless(unread, "TARGET_DEAD", frame, "%s is dead", target.Name)
	case checks.CharmedBy(c, target.Id):
		return play.RefuseUnless(unread, "CHARMED", frame, "%s is charmed by %s", c.Name, target.Name)
	case body.SaidCover(take, target.Id) == body.CoverTotal:
		return play.RefuseUnless(unread, "TOTAL_COVER", cite.BaseHalfCover, "%s has total cover", target.Name)
	}
	feet, ok := body.StatedFeet(s, c, target, take)
	if !ok {
		if feet, ok = body.DistanceTo(c, target); !ok {
			feet = -1
		}
	}
	_, err := meleeAt(unread, a, target, feet, take)
	return err
}

// PlanAttack works out an attack on a target and refuses what cannot be.
func PlanAttack(s *eventv1.State, c, target *eventv1.Creature, a *eventv1.RcrAttack, take *eventv1.TakeAction) (*AttackPlan, error) {
	if err := body.FirstError(RefuseWeapon(false, s, c, a), RefuseStrike(false, s, c, target, a, take)); err != nil {
		return nil, err
	}
	p := &AttackPlan{Atk: a, Kind: body.AttackKind{Spell: a.Spell, Distance: -1, Water: body.SaidOfWater(take.GetFacts())}}
	if feet, ok := body.StatedFeet(s, c, target, take); ok {
		p.Kind.Distance = feet
	} else if feet, ok := body.DistanceTo(c, target); ok {
		p.Kind.Distance = feet
	}
	if err := p.reachAndRange(target, take); err != nil {
		return nil, err
	}
	p.surroundings(s, c, target, take)
	return p, body.FirstError(p.improvise(c, take), p.hands(s, c, take), body.RefuseKnockOut(take, p.Kind.Melee))
}

// meleeAt decides between melee and ranged at a distance, -1 for one that nobody
// knows, and holds reach and range; why not may be unread.
func meleeAt(unread bool, a *eventv1.RcrAttack, target *eventv1.Creature, feet int32, take *eventv1.TakeAction) (melee bool, err error) {
	const frame = cite.BaseFifthEditionFallback
	reached := a.ReachFeet > 0 && feet <= a.ReachFeet
	melee = reached || a.RangeFeet == 0
	if take.GetParameters().GetFields()["throw"] != nil {
		melee = !spoken.Truth(take.Parameters, "throw")
	}
	switch {
	case melee && !reached:
		return melee, play.RefuseUnless(unread, "OUT_OF_REACH", frame, "%s is out of the reach of %s", target.Name, a.Name)
	case !melee && (a.RangeFeet == 0 || feet > max(a.LongRangeFeet, a.RangeFeet)):
		return melee, play.RefuseUnless(unread, "OUT_OF_RANGE", frame, "%s is out of the range of %s", target.Name, a.Name)
	}
	return melee, nil
}

// reachAndRange decides between melee and ranged and holds reach and range.
func (p *AttackPlan) reachAndRange(target *eventv1.Creature, take *eventv1.TakeAction) (err error) {
	a, feet := p.Atk, p.Kind.Distance
	if p.Kind.Melee, err = meleeAt(false, a, target, feet, take); err != nil {
		return err
	}
	p.thrown = !p.Kind.Melee && checks.Property(a, "thrown")
	p.Kind.LongRange = !p.Kind.Melee && (feet > a.RangeFeet || spoken.Truth(take.GetFacts(), "long_range"))
	return nil
}

// surroundings finds who or what stands about; a stated fact beats a measured one.
func (p *AttackPlan) surroundings(s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) {
	measured := false
	if p.Cover, measured = body.CoverBehind(s, c, target, take); measured {
		p.Notes = append(p.Notes, "cover "+p.Cover+": a creature in the way (measured)")
	}
	fields := take.GetFacts().GetFields()
	if _, ok := fields["between"]; ok {
		p.Kind.Between = spoken.Truth(take.Facts, "between")
		p.Notes = append(p.Notes, "between (stated)")
	} else {
		p.Kind.Between = body.Has(target, body.CondCrouching) && body.StandsBetween(s, c, target, func(*eventv1.Creature) bool { return true }) // it matters to those who crouch alone
	}
	if _, ok := fields["ally_near"]; ok {
		near := spoken.Truth(take.Facts, "ally_near")
		p.Kind.Ally = &near
		p.Notes = append(p.Notes, "ally near (stated)")
	}
	if p.Kind.Melee {
		return
	}
	p.Kind.Higher = body.HigherBy(c, target)
	if feet, ok := spoken.Number(take.GetFacts(), "elevation"); ok {
		p.Kind.Higher = feet
		p.Notes = append(p.Notes, "target "+body.Itoa(feet)+" feet higher (stated)")
	}
	if _, ok := fields["close_enemy"]; ok {
		p.Kind.CloseEnemy = spoken.Truth(take.Facts, "close_enemy")
		p.Notes = append(p.Notes, "close enemy (stated)")
		return
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		e := s.Creatures[id]
		feet, ok := body.Distance(e, c)
		if id == target.Id && p.Kind.Distance >= 0 && p.Kind.Distance <= 5 { // stated, it counts as measured
			feet, ok = p.Kind.Distance, true
		}
		if ok && !body.Has(e, body.CondHidden) && feet <= 5 && body.Hostile(e, c) && !body.Incapacitated(e) && body.PerceivesIn(s, e, c, feet, p.Kind.Water.Turned()) {
			p.Kind.CloseEnemy = true
		}
	}
}

// hands holds what the hands must be free for.
func (p *AttackPlan) hands(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.GetParameters(), "hands") != "two" {
		return nil
	}
	if err := refuseTwoHands(s, c, p.Atk); err != nil {
		return err
	}
	p.twoHanded = true
	return nil
}

func refuseTwoHands(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	if len(a.TwoHandedDamage) == 0 {
		return body.Refuse("NOT_VERSATILE", frame, "%s is not versatile", a.Name)
	}
	if body.SheetOf(c).Shield == eventv1.RcrSheet_SHIELD_SHIELD {
		return body.Refuse("NO_FREE_HAND", frame, "%s carries a shield", c.Name)
	}
	if body.HandsTaken(s, c) > 1 {
		return body.Refuse("NO_FREE_HAND", frame, "%s has its other hand full", c.Name)
	}
	return nil
}
