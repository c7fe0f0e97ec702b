package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// taskCoup is a coup de grace on an unseen foe under way.
const taskCoup = "coup-de-grace"

const (
	// mCoup names the victim of a coup de grace under way.
	mCoup = "coup"
	// cCoup is how many acts it still takes.
	cCoup = "coup-acts"
)

// unseenActs is what a coup de grace on a totally concealed foe takes.
//
// celesia.attack.coup-total-concealment
const unseenActs = 6

// coupActions are the coup de grace and, in two parts, that on an unseen foe.
func coupActions() []*action {
	return []*action{
		{id: "coup-de-grace", title: "Coup de grace", rule: cite.AttackCoupEligibility, acts: 3, trigger: "attack", targeted: true,
			items: weaponNames, provoke: always, refuse: refuseSeenCoup, check: checkNature, parameters: coupParameters, do: doCoup},
		{id: "coup-unseen", title: "Coup de grace on an unseen foe", rule: cite.AttackCoupTotalConcealment, cost: unseenCost, trigger: "attack",
			targeted: true, items: weaponNames, provoke: always, refuse: refuseUnseenCoup, check: checkNature, parameters: coupParameters, spans: spanning, paid: doUnseenCoup, whole: true},
		{id: "finish-coup", title: "Go on with the coup de grace", rule: cite.AttackCoupTotalConcealment, cost: finishCost, task: true,
			trigger: "attack", refuse: refuseFinishCoup, paid: doFinishCoup},
	}
}

func coupParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{choice("damage", "lethal or nonlethal", false, "lethal", "nonlethal")}
}

// refuseCoup: only a helpless or pinned opponent, in melee or, with what shoots,
// adjacent, and none that is immune to critical hits, as far as that is known.
//
// celesia.attack.coup-eligibility, celesia.attack.coup-crit-immune
func refuseCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseAttack(s, c, take); err != nil {
		return err
	}
	w := weaponOf(c, take.Item)
	if w.Kind == kindThrown || w.Kind == kindNaturalRanged {
		return refuse("NO_COUP", cite.AttackCoupEligibility, "no coup de grace is made with %s", w.Name)
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	feet, known := apart(take, c, t)
	switch {
	case !helpless(t) && !has(t, condPinned):
		return refuse("NOT_HELPLESS", cite.AttackCoupEligibility, "%s is neither helpless nor pinned", t.Name)
	case immune(t, immuneCritical):
		return refuse("IMMUNE", cite.AttackCoupCritImmune, "%s is immune to critical hits", t.Name)
	case ranged(w) && known && feet > 5:
		return refuse("OUT_OF_REACH", cite.AttackCoupEligibility, "a ranged weapon needs an adjacent target")
	}
	return nil
}

// concealedTotally is the fact concealment by which a target is not seen at all.
const concealedTotally = "total"

// unseen tells whether a target has total concealment: as stated, or invisible.
func unseen(t *eventv1.Creature, take *eventv1.TakeAction) bool {
	if stated := spoken.Word(take.GetFacts(), "concealment"); stated != "" {
		return stated == concealedTotally
	}
	return has(t, condInvisible)
}

func refuseSeenCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseCoup(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && unseen(t, take) {
		return refuse("UNSEEN", cite.AttackCoupTotalConcealment, "%s is not seen: that takes %d acts", t.Name, unseenActs)
	}
	return nil
}

func refuseUnseenCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseCoup(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && !unseen(t, take) {
		return refuse("SEEN", cite.AttackCoupTotalConcealment, "%s is in plain sight", t.Name)
	}
	return nil
}

// unseenCost is what is left of the turn, up to the acts that it takes: they
// follow each other over as many turns as it needs.
func unseenCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	return max(1, min(unseenActs, int32(c.Counters[cActs])))
}

func finishCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	return max(1, min(int32(c.Counters[cCoup]), int32(c.Counters[cActs])))
}

// doCoup always hits, always critically.
//
// celesia.attack.coup-auto-critical
func doCoup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, t := weaponOf(c, take.Item), r.Creature(target(take))
	a := attack{by: c.Id, target: t.Id, weapon: w, label: "coup", take: take}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: w.Name, Outcome: "critical", Note: "coup de grace: no roll"},
		cite.AttackCoupAutoCritical)
	harm(r, a, 0, true, deedCoup)
	return nil
}

// doUnseenCoup begins to feel for the foe.
//
// celesia.attack.coup-total-concealment
func doUnseenCoup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	if acts >= unseenActs {
		return doCoup(r, c, take)
	}
	values := map[string]int32{"left": unseenActs - acts}
	if spoken.Word(take.GetParameters(), "damage") == "nonlethal" {
		values["nonlethal"] = 1
	}
	setCoup(r, c.Id, take.Item, values)
	r.Mark(c.Id, mCoup, target(take), cite.AttackCoupTotalConcealment)
	return nil
}

func coupID(id string) string { return "coup-" + id }

func setCoup(r *rules.Resolution, id, weapon string, values map[string]int32) {
	r.Set(id, cCoup, int64(values["left"]), "coup de grace", cite.AttackCoupTotalConcealment)
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: coupID(id), Creature: id, Kind: taskCoup, Status: "pending", Text: weapon,
		Values: values}}, cite.AttackCoupTotalConcealment)
}

// endCoup ends a coup de grace under way.
func endCoup(r *rules.Resolution, t *eventv1.Task, outcome string) {
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: outcome}, cite.AttackCoupTotalConcealment)
	r.Mark(t.Creature, mCoup, "")
	r.Set(t.Creature, cCoup, 0, outcome)
}

// finishTake is the coup de grace under way, as it will be made.
func finishTake(c *eventv1.Creature, t *eventv1.Task) *eventv1.TakeAction {
	take := &eventv1.TakeAction{Creature: c.Id, Action: "coup-de-grace", Item: t.Text, Targets: []string{c.Marks[mCoup]}}
	if t.Values["nonlethal"] > 0 {
		take.Parameters = paramStruct("damage", "nonlethal")
	}
	return take
}

// refuseFinishCoup: it must be under way, and still possible.
func refuseFinishCoup(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	t := s.Tasks[coupID(c.Id)]
	if t == nil || c.Marks[mCoup] == "" {
		return refuse("NOTHING_UNDER_WAY", cite.AttackCoupTotalConcealment, "%s feels for nobody", c.Name)
	}
	take := finishTake(c, t)
	if dead(s.Creatures[target(take)]) {
		return refuse("TARGET_DEAD", cite.AttackCoupTotalConcealment, "the foe is dead or gone")
	}
	return refuseCoup(s, c, take)
}

// doFinishCoup puts further acts in; the blow falls with the last.
//
// celesia.attack.coup-total-concealment
func doFinishCoup(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction, acts int32) error {
	t := r.State().Tasks[coupID(c.Id)]
	take := finishTake(c, t)
	if left := t.Values["left"] - acts; left > 0 {
		setCoup(r, c.Id, t.Text, map[string]int32{"left": left, "nonlethal": t.Values["nonlethal"]})
		return nil
	}
	endCoup(r, t, "done")
	return doCoup(r, r.Creature(c.Id), take)
}
