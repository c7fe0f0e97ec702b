package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const ruleDrawOnMove = cite.EquipmentDrawWithMove

// moveActions are the ways to change place and posture.
func moveActions() []*action {
	return []*action{
		{id: "move", title: "Move", rule: cite.MovementMove, acts: 1, provoke: always, trigger: "move", listing: listMove, refuse: refuseMove, check: checkMove,
			parameters: moveParameters, do: doMove},
		{id: "step", title: "Step", rule: cite.MovementStep, acts: 1, trigger: "move", refuse: refuseStep, check: checkShort(cite.MovementStep),
			parameters: stepParameters, do: doShort("step")},
		{id: "crawl", title: "Crawl", rule: cite.MovementCrawl, acts: 1, provoke: always, trigger: "move", refuse: refuseCrawl, check: checkShort(cite.MovementCrawl),
			parameters: pathParameter, do: doShort("crawl")},
		{id: "stand-up", title: "Stand up", rule: cite.MovementStandUp, acts: 1, provoke: always, trigger: "stand-up", refuse: refuseStand, do: doStand},
		{id: "drop-prone", title: "Drop prone", rule: cite.MovementDropProne, refuse: refuseDropProne, do: doDropProne},
	}
}

func pathParameter(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "path", Type: "path", Text: "the way, as take.path; without a map none is needed"}}
}

func stepParameters(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(pathParameter(nil, nil), choice("mode", "how, by a speed of the sheet", false, stepModes(c)...))
}

// stepModes are the ways in which a creature can step: faster than 5 feet.
func stepModes(c *eventv1.Creature) []string {
	return slices.DeleteFunc(rules.SortedKeys(c.GetSheet().GetSpeeds()), func(mode string) bool { return speed(c, mode) <= 5 })
}

func moveParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return slices.Concat(wayParameters(c), []*eventv1.Parameter{
		choice("draw", "a weapon to draw on the way", false, loose(s, c)...),
		choice("shield", "a shield to ready, or to drop when it is on the arm", false, shields(s, c)...)})
}

// wayParameters are those of every Move.
func wayParameters(c *eventv1.Creature) []*eventv1.Parameter {
	return append(pathParameter(nil, nil), choice("mode", "how", false, rules.SortedKeys(c.GetSheet().GetSpeeds())...),
		&eventv1.Parameter{Name: "foe_x", Type: "number", Text: "with foe_y, where a foe in hold is put, in feet; the nearest space when not given"},
		&eventv1.Parameter{Name: "foe_y", Type: "number", Text: "see foe_x"})
}

// listMove lists the Move and, for each weapon that can be drawn on the way
// together with another, a Move of its own: the second goes with the first
// alone.
//
// celesia.equipment.draw-two, celesia.equipment.draw-with-move
func listMove(a *action, s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	out := []*eventv1.Option{a.option(s, c, "")}
	if !out[0].Legal || !feature(c, featTwoWeapon) {
		return out
	}
	for _, first := range loose(s, c) {
		seconds := slices.DeleteFunc(loose(s, c), func(second string) bool {
			return checkOnTheWay(s, c, &eventv1.TakeAction{Creature: c.Id, Action: a.id, Parameters: paramStruct("draw", first, "second", second)}) != nil
		})
		if len(seconds) == 0 {
			continue
		}
		o := a.option(s, c, "")
		o.Title = "Move, drawing " + first + " and another"
		o.Parameters = append(a.fitting(s, c, "", wayParameters(c)), choice("draw", "the first weapon to draw on the way", true, first),
			choice("second", "the second weapon to draw on the way", true, seconds...))
		out = append(out, o)
	}
	return out
}

// speed is how far a creature gets with one Move, in feet: halved when disabled
// and again when half its legs are lost, each rounded down.
//
// celesia.injury.disabled-half-speed, celesia.injury.leg
func speed(c *eventv1.Creature, mode string) int32 {
	feet := c.GetSheet().GetSpeeds()[mode]
	if disabled(c) {
		feet /= 2
	}
	if legs := bodyOf(c).Legs; mode == "walk" && legs > 0 && 2*lostParts(c, "leg") >= legs {
		feet /= 2
	}
	return feet
}

// legless tells whether a creature has lost the use of all its legs.
//
// celesia.injury.leg-all-lost
func legless(c *eventv1.Creature) bool {
	legs := bodyOf(c).Legs
	return legs > 0 && lostParts(c, "leg") >= legs
}

// bound says what keeps a creature in its place. Whoever is held cannot walk
// off; a holder only after choosing to move the foe.
func bound(c *eventv1.Creature) error {
	switch {
	case mountOf(c) != "":
		return refuse("MOUNTED", cite.MountSharedInitiative, "%s moves with its mount", c.Name)
	case heldBy(c) != "":
		return refuse("HELD", cite.ManeuverGrapple, "%s is held", c.Name)
	case holds(c) != "" && c.Marks[mDragging] == "":
		return refuse("HOLDING", cite.ManeuverGrappleMove, "%s holds a foe and has not chosen to move it", c.Name)
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// refuseMove: on legs that carry, or in another way; a flyer without legs, which
// cannot stand up, takes off from where it lies.
//
// celesia.movement.move, celesia.injury.leg-all-lost
func refuseMove(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case grounded(c):
		return refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	case has(c, condProne) && !legless(c):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	}
	return bound(c)
}

// checkMove judges the way: no longer than the speed, no end in another's space.
//
// celesia.movement.move
func checkMove(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	mode := wayOf(c, take)
	if _, ok := c.GetSheet().GetSpeeds()[mode]; !ok {
		return refuse("NO_SPEED", cite.MovementMove, "%s cannot %s%s", c.Name, mode, rules.DidYouMean(mode, rules.SortedKeys(c.GetSheet().GetSpeeds())))
	}
	if legless(c) && mode == "walk" {
		return refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	}
	if err := checkOnTheWay(s, c, take); err != nil {
		return err
	}
	feet, err := pathLength(c, take)
	if err != nil {
		return err
	}
	if most := speed(c, mode); feet > most {
		return refuse("TOO_FAR", cite.MovementMove, "the way is %d feet, %s moves %d", feet, c.Name, most)
	}
	if err := checkPlace(s, c, take); err != nil {
		return err
	}
	if c.Position != nil && !spoken.Truth(take.Facts, "passes") {
		if foe := inTheFoe(s, c, take.Path, holds(c)); foe != nil {
			return refuse("FOE_IN_THE_WAY", ruleOverrun, "the way leads through the space of %s", foe.Name)
		}
	}
	return freeEnd(s, c, take)
}

// checkOnTheWay judges what is drawn or strapped on in the course of a Move.
//
// celesia.equipment.draw-with-move, celesia.equipment.draw-two, celesia.equipment.shield
func checkOnTheWay(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	name, second, shield := spoken.Word(take.Parameters, "draw"), spoken.Word(take.Parameters, "second"), spoken.Word(take.Parameters, "shield")
	if second != "" && name == "" {
		return fault.Field("take.parameters.second", "goes with a first weapon to draw")
	}
	if name != "" {
		if err := refuseDraw(s, c, &eventv1.TakeAction{Creature: c.Id, Item: name}); err != nil {
			return err
		}
		switch {
		case sheetOf(c).BaseAttack < 1:
			return refuse("NOT_FREE", ruleDrawOnMove, "drawing on the move takes a base attack bonus of 1")
		case weaponOf(c, name) == nil || where(c, name) == placePack:
			return refuse("NOT_FREE", ruleDrawOnMove, "only a weapon in easy reach is drawn on the move")
		}
	}
	if second != "" {
		if err := refuseSecond(s, c, name, second, false); err != nil {
			return err
		}
	}
	if shield == "" {
		return nil
	}
	if name != "" && !shielded(c, shield) && freeHands(c) < handsFor(c, name)+1 || second != "" {
		return refuse("NO_FREE_HAND", ruleShield, "there are not hands enough for all of it")
	}
	return refuseShieldOnMove(s, c, shield)
}

// wayOf is how a creature moves: as asked, else on foot, else, when its legs do
// not carry it or it never had any, in the first way that it has a speed for.
func wayOf(c *eventv1.Creature, take *eventv1.TakeAction) string {
	if mode := spoken.Word(take.GetParameters(), "mode"); mode != "" {
		return mode
	}
	if speed(c, "walk") > 0 && !legless(c) {
		return "walk"
	}
	for _, mode := range rules.SortedKeys(c.GetSheet().GetSpeeds()) {
		if mode != "walk" && speed(c, mode) > 0 {
			return mode
		}
	}
	return "walk"
}

// grounded tells whether a creature has lost the use of all its legs and has no
// other way of moving; wings and fins need no legs (a reading).
//
// celesia.injury.leg-all-lost
func grounded(c *eventv1.Creature) bool { return legless(c) && wayOf(c, nil) == "walk" }

func freeEnd(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if n := len(take.Path); n > 0 && c.Position != nil && blocked(s, c, take.Path[n-1], holds(c)) {
		return refuse("OCCUPIED", cite.MovementMove, "somebody stands there")
	}
	return nil
}

// pathLength is the length of the way in feet; without a map it is what was
// stated, or nothing.
func pathLength(c *eventv1.Creature, take *eventv1.TakeAction) (int32, error) {
	if len(take.Path) == 0 {
		feet, _ := spoken.Number(take.Facts, "feet")
		return feet, nil
	}
	if c.Position == nil {
		return 0, fault.Field("take.path", "%s stands nowhere on the map", c.Id)
	}
	at, feet := c.Position, int32(0)
	for _, p := range take.Path {
		feet += grid.Steps(at, p)
		at = p
	}
	return feet, nil
}

// doMove moves; a foe in hold is brought along and put beside the holder.
//
// celesia.movement.move, celesia.maneuver.grapple-move, celesia.equipment.draw-with-move
func doMove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for _, name := range []string{spoken.Word(take.Parameters, "draw"), spoken.Word(take.Parameters, "second")} {
		if name != "" {
			draw(r, c.Id, name, false, "drawn on the move", ruleDrawOnMove)
		}
	}
	if shield := spoken.Word(take.Parameters, "shield"); shield != "" {
		turnShield(r, c.Id, shield)
	}
	if legless(c) {
		lift(r, c.Id, condProne, "no longer on the ground", cite.InjuryLegAllLost)
	}
	foe := holds(c)
	if r.On(setOnTheWay) && c.Position != nil {
		rest, on := passBy(r, c, take)
		if !on {
			return nil
		}
		c, take = r.Creature(c.Id), &eventv1.TakeAction{Creature: c.Id, Action: take.Action, Path: rest, Parameters: take.Parameters, Facts: take.Facts}
	}
	walk(r, c, take, wayOf(c, take))
	if foe != "" {
		bring(r, c.Id, foe, take)
		r.Mark(c.Id, mDragging, "")
	}
	return nil
}

// passBy lets those answer who threaten a square that a Move leaves on the way,
// each once; those at its start had their chance before it began. It returns what
// is left of the way, and whether the creature still goes on.
//
// celesia.action.provoke
func passBy(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (rest []*eventv1.Position, on bool) {
	near := func(at *eventv1.Position, except []string) []string {
		there := &eventv1.Creature{Id: c.Id, Size: c.Size, Position: at}
		return slices.DeleteFunc(order(r.State()), func(id string) bool {
			foe := r.Creature(id)
			return foe.Side == c.Side || slices.Contains(except, id) || !reaches(foe, there)
		})
	}
	rest = squares(c.Position, take.Path)
	asked := near(c.Position, nil)
	for len(rest) > 1 {
		at := rest[0]
		rest = rest[1:]
		fresh := near(at, asked)
		if len(fresh) == 0 {
			continue
		}
		from := r.Creature(c.Id).Position
		r.Move(&eventv1.Moved{Creature: c.Id, To: at, Mode: wayOf(c, take), Feet: grid.Steps(from, at)}, cite.MovementMove)
		takeRider(r, c.Id)
		window(r, provocation{by: c.Id, kind: "move", provokes: true, except: asked, take: &eventv1.TakeAction{Creature: c.Id, Action: "move"}})
		asked = append(asked, fresh...)
		if now := r.Creature(c.Id); !able(now) || bound(now) != nil || has(now, condProne) {
			return nil, false
		}
	}
	return rest, true
}

// walk puts a creature at the end of its way and lets those it came to react.
func walk(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, mode string) {
	feet, err := pathLength(c, take)
	if err != nil {
		return // the way was judged before
	}
	to := c.Position
	if n := len(take.Path); n > 0 {
		to = take.Path[n-1]
	}
	r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: mode, Feet: feet}, cite.MovementMove)
	takeRider(r, c.Id)
	window(r, provocation{by: c.Id, kind: "approach", take: take})
}

// refuseStep: not where something hampers movement, nor for the slow.
//
// celesia.movement.step
func refuseStep(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch {
	case legless(c) && wayOf(c, take) == "walk":
		return refuse("NO_LEGS", cite.InjuryLegAllLost, "%s can only crawl", c.Name)
	case has(c, condProne):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case c.GetSheet().GetSpeeds()[wayOf(c, take)] == 0:
		return refuse("NO_SPEED", cite.MovementStep, "%s has no speed to %s", c.Name, wayOf(c, take))
	case speed(c, wayOf(c, take)) <= 5:
		return refuse("TOO_SLOW", cite.MovementStep, "the speed of %s does not exceed 5 feet", c.Name)
	case spoken.Truth(take.GetFacts(), "difficult") || spoken.Truth(take.GetFacts(), "dark"):
		return refuse("HAMPERED", cite.MovementStep, "movement is hampered here")
	}
	return bound(c)
}

// refuseCrawl: only the prone crawl.
//
// celesia.movement.crawl
func refuseCrawl(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if !has(c, condProne) {
		return refuse("NOT_PRONE", cite.MovementCrawl, "%s is not prone", c.Name)
	}
	return bound(c)
}

// checkShort judges a way of 5 feet, by the rule that sets them.
func checkShort(rule string) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		feet, err := pathLength(c, take)
		if err != nil {
			return err
		}
		if feet > 5 {
			return refuse("TOO_FAR", rule, "the way is %d feet, 5 are allowed", feet)
		}
		return freeEnd(s, c, take)
	}
}

func doShort(mode string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		walk(r, c, take, mode)
		return nil
	}
}

func refuseStand(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case !has(c, condProne):
		return refuse("NOT_PRONE", cite.MovementStandUp, "%s is not prone", c.Name)
	case legless(c):
		return refuse("NO_LEGS", cite.InjuryLegAllLost, "%s cannot stand", c.Name)
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

func doStand(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	lift(r, c.Id, condProne, "stood up", cite.MovementStandUp)
	return nil
}

func refuseDropProne(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if has(c, condProne) {
		return refuse("PRONE", cite.MovementDropProne, "%s is prone already", c.Name)
	}
	return nil
}

func doDropProne(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	setProne(r, c.Id, "dropped prone", cite.MovementDropProne)
	return nil
}
