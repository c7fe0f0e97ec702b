package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// condReady holds what is readied for a trigger: the variant is the action and
// its item ("attack/bow", "move/"), the cause the trigger in words. A readied
// spell has the level of its slot among the values.
const condReady = "ready"

// maxTrigger bounds the words of a trigger, in bytes.
const maxTrigger = 500

// reactions are what is done outside one's own turn: what was readied, a power
// that costs the reaction. That the trigger has come is the caller's word.
func reactions() []*action {
	return []*action{
		{id: "ready", title: "Ready an action", options: readyOptions, do: doReady},
		{id: "use-ready", title: "Do what was readied", options: useReadyOptions, do: doUseReady, anytime: true},
		{id: "react", title: "Use a power as a reaction", options: reactOptions, do: doReact, anytime: true},
	}
}

// Actions that are readied in ways of their own.
const (
	readyAttack = "attack"
	readyCast   = "cast"
	readyMove   = "move"
)

// readiable is one thing that can be readied.
type readiable struct {
	// what action it is, and the item of it.
	what, item string
	// err says why it cannot be readied now; nil when it can.
	err error
}

// readiables lists what a creature could ready: an attack, a spell or power or
// magic item that takes the action, movement up to its speed, and the other
// actions of a fight.
//
// rcr.base.fifth-edition-fallback
func readiables(s *eventv1.State, c *eventv1.Creature) []readiable {
	var out []readiable
	first := needAction(c)
	add := func(what, item string, err error) {
		if first != nil {
			err = first
		}
		out = append(out, readiable{what, item, err})
	}
	for _, a := range sheetOf(c).Attacks {
		add(readyAttack, a.Name, refuseWeapon(s, c, a))
	}
	for _, sp := range sheetOf(c).Spells {
		if sp.CastingTime == "" || sp.CastingTime == "action" {
			add(readyCast, sp.Name, refuseSpell(s, c, sp))
		}
	}
	for _, p := range sheetOf(c).Powers {
		if p.Cost == "" || p.Cost == "action" {
			add("use-power", p.Name, refusePower(s, c, p))
		}
	}
	for _, it := range sheetOf(c).Items {
		if itemCost(it) == cAction {
			add("use-item", it.Name, refuseItem(s, c, it))
		}
	}
	for _, what := range []string{readyMove, "crawl", "stand", "dash", "disengage", "dodge", "help", "help-check", "use-object", "grapple", "shove", "escape", "stabilise"} {
		add(what, "", nil)
	}
	if cost, _ := useOf("hide").costOf(s); cost == cAction {
		add("hide", "", nil)
	}
	if cost, _ := useOf("search").costOf(s); cost == cAction {
		for _, skill := range useOf("search").skills {
			add("search", skill, nil)
		}
	}
	return out
}

func readyOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, x := range readiables(s, c) {
		o := option(x.item, x.err, map[string]int32{cAction: 1})
		o.Title = "Ready: " + strings.TrimSpace(x.what+" "+x.item)
		o.Parameters = []*eventv1.Parameter{choiceOf("do", "What is readied", x.what != readyAttack, x.what),
			{Name: "trigger", Type: "string", Required: true, Text: "What sets it off"}}
		if sp := spellOf(c, x.item); x.what == readyCast && sp.Level > 0 && !sp.Innate {
			o.Parameters = append(o.Parameters, slotParameter(c, sp))
		}
		out = append(out, o)
	}
	return out
}

// doReady spends the action on something to be done as a reaction, until the
// start of the next turn. A spell is cast now, with all that goes with that,
// and its energy held by concentration.
//
// rcr.base.fifth-edition-fallback, rcr.surprise.one-action
func doReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	what := spoken.Word(take.Parameters, "do")
	if what == "" {
		what = readyAttack
	}
	all := readiables(r.State(), c)
	at := slices.IndexFunc(all, func(x readiable) bool { return x.what == what && x.item == take.Item })
	if at < 0 {
		var items []string
		for _, x := range all {
			if x.what == what {
				items = append(items, x.item)
			}
		}
		return noSuch("take.item", take.Item, "item of "+what+" that "+c.Name+" can ready", items)
	}
	if all[at].err != nil {
		return all[at].err
	}
	trigger := spoken.Word(take.Parameters, "trigger")
	if trigger == "" || len(trigger) > maxTrigger {
		return fault.Field("take.parameters.trigger", "must be 1 to %d bytes", maxTrigger)
	}
	values := map[string]int32{}
	if what == readyCast {
		k := &casting{r: r, id: c.Id, sp: spellOf(c, take.Item), take: take}
		if cast, err := k.hold(c); err != nil || !cast {
			return err
		}
		values["slot"] = k.slot
	} else {
		spend(r, c.Id, cAction, "Ready")
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "ready"})
		dropReady(r, c.Id, "readied anew")
	}
	// What is readied, and for what, is its owner's secret until it happens.
	r.Emit(event.Controllers(c.Id), &eventv1.ConditionAdded{Creature: c.Id, Condition: &eventv1.Condition{Id: condReady, Name: condReady,
		Variant: what + "/" + take.Item, Cause: trigger, Values: values, Until: &eventv1.Until{When: untilTurnStart, Creature: c.Id, Turns: 1},
		Rule: cite.BaseFifthEditionFallback}}, cite.BaseFifthEditionFallback)
	return nil
}

// readied is what a creature has readied; empty when nothing.
func readied(c *eventv1.Creature) (what, item string) {
	if x := condition(c, condReady); x != nil {
		what, item, _ = strings.Cut(x.Variant, "/")
	}
	return what, item
}

// dropReady ends what was readied; the energy of a spell held is lost.
func dropReady(r *rules.Resolution, id, cause string) {
	if what, item := readied(r.Creature(id)); what == readyCast && r.Creature(id).Marks[mConcentration] == item {
		endConcentration(r, id, cause) // takes what is readied with it
	}
	if x := condition(r.Creature(id), condReady); x != nil {
		r.RemoveCondition(id, x, cause, cite.BaseFifthEditionFallback)
	}
}

func refuseUseReady(s *eventv1.State, c *eventv1.Creature) error {
	what, item := readied(c)
	if what == "" {
		return refuse("NOT_READY", cite.BaseFifthEditionFallback, "%s has nothing readied", c.Name)
	}
	if err := needReaction(s, c); err != nil {
		return err
	}
	if what == readyCast {
		return nil
	}
	if what != readyAttack {
		if readiedWay(s, c, what, item) == nil {
			return refuse("NOT_READY", cite.BaseFifthEditionFallback, "there is no %s for %s any more", strings.TrimSpace(what+" "+item), c.Name)
		}
		return nil
	}
	a := attackOf(c, item)
	if a == nil {
		return refuse("NOT_READY", cite.BaseFifthEditionFallback, "%s has no %s any more", c.Name, item)
	}
	return refuseWeapon(s, c, a)
}

// poised is a state in which a creature may act on its reaction: it has one
// action, or the movement of its speed, and no more.
func poised(s *eventv1.State, id, what string) *eventv1.State {
	s = event.Clone(s)
	if s.Creatures[id].Counters == nil {
		s.Creatures[id].Counters = map[string]int64{}
	}
	// order-free: each counter is set by itself
	for name, n := range poise(s, s.Creatures[id], what) {
		s.Creatures[id].Counters[name] = n
	}
	return s
}

// moving tells whether a readied action spends movement.
func moving(what string) bool { return slices.Contains([]string{readyMove, "crawl", "stand"}, what) }

// poise is the counters of a creature that acts on its reaction.
func poise(s *eventv1.State, c *eventv1.Creature, what string) map[string]int64 {
	out := map[string]int64{cAction: 1, cAttacks: 0}
	if moving(what) {
		out = map[string]int64{cMovement: int64(baseSpeed(s, c)), cMoved: 0, cDangerous: 0, cDashes: 0}
	}
	for _, name := range rules.SortedKeys(c.Counters) {
		if strings.HasPrefix(name, cMulti) {
			out[name] = 0
		}
	}
	return out
}

func actionNamed(id string) *action {
	all := actions()
	if i := slices.IndexFunc(all, func(a *action) bool { return a.id == id }); i >= 0 {
		return all[i]
	}
	return nil
}

func useReadyOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	what, item := readied(c)
	if what == "" {
		return nil
	}
	o := option(item, refuseUseReady(s, c), map[string]int32{cReaction: 1})
	o.Title = "Do what was readied: " + strings.TrimSpace(what+" "+item)
	switch what {
	case readyAttack:
		if a := attackOf(c, item); a != nil {
			targetsOf(s, c, a, o)
		}
	case readyCast:
		if sp := spellOf(c, item); sp != nil {
			aimOption(s, c, sp, o)
		}
	default:
		if way := readiedWay(s, c, what, item); way != nil {
			o.Targets, o.MinimumTargets, o.MaximumTargets = way.Targets, way.MinimumTargets, way.MaximumTargets
			o.Parameters = slices.DeleteFunc(way.Parameters, func(p *eventv1.Parameter) bool { return p.Name == "cost" })
			if o.Legal && !way.Legal {
				o.Legal, o.Reason, o.Rule = false, way.Reason, way.Rule
			}
		}
	}
	return []*eventv1.Option{o}
}

// readiedWay is the option of a readied action as it stands now; nil when there
// is none any more, such as an escape from a hold that has ended.
func readiedWay(s *eventv1.State, c *eventv1.Creature, what, item string) *eventv1.Option {
	at := poised(s, c.Id, what)
	for _, way := range actionNamed(what).options(at, at.Creatures[c.Id]) {
		if (way.Item == item || what == "escape") && way.Costs[cBonus] == 0 {
			return way
		}
	}
	return nil
}

func doUseReady(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseUseReady(r.State(), c); err != nil {
		return err
	}
	what, item := readied(c)
	if take.Item != "" && take.Item != item {
		return fault.Field("take.item", "%q is not what was readied%s", take.Item, rules.DidYouMean(take.Item, []string{item}))
	}
	if err := checkReadied(take, what); err != nil {
		return err
	}
	switch what {
	case readyAttack:
		return carryOut(r, c, attackOf(c, item), take, func(*attackPlan) attackOpts {
			spend(r, c.Id, cReaction, "readied attack")
			dropReady(r, c.Id, "used")
			return attackOpts{label: "ready/" + c.Id}
		})
	case readyCast:
		return (&casting{r: r, id: c.Id, sp: spellOf(c, item), take: take}).release(c)
	}
	return asReaction(r, c.Id, what, func(c *eventv1.Creature) error {
		return actionNamed(what).do(r, c, &eventv1.TakeAction{Creature: c.Id, Action: what, Item: item, Targets: take.Targets, Path: take.Path,
			Parameters: take.Parameters, Circumstances: take.Circumstances, Facts: take.Facts})
	})
}

// asReaction has a creature take an action on its reaction.
func asReaction(r *rules.Resolution, id, what string, do func(c *eventv1.Creature) error) error {
	spend(r, id, cReaction, "readied "+what)
	dropReady(r, id, "used")
	return aside(r, id, "readied "+what, moving(what), poise(r.State(), r.Creature(id), what), do)
}

// aside has a creature act beside its turn with the counters given: what it has
// left of its own turn is neither spent nor added to, and movement starts afresh
// in whoever's reach it stands.
func aside(r *rules.Resolution, id, why string, moves bool, set map[string]int64, do func(c *eventv1.Creature) error) error {
	c := r.Creature(id)
	before, marks := map[string]int64{}, map[string]string{}
	// order-free: a map is copied into a map
	for name, n := range c.Counters {
		before[name] = n
	}
	if moves {
		for _, m := range []string{mStarted, mEntered, mScathed} {
			marks[m] = c.Marks[m]
			r.Emit(event.GM(), &eventv1.MarkSet{Subject: id, Mark: m})
		}
	}
	for _, name := range rules.SortedKeys(set) {
		r.Set(id, name, set[name], why)
	}
	if err := do(r.Creature(id)); err != nil {
		return err
	}
	for _, name := range rules.SortedKeys(r.Creature(id).Counters) {
		if _, touched := set[name]; touched || strings.HasPrefix(name, cMulti) {
			r.Set(id, name, before[name], why+" is over")
		}
	}
	for _, m := range rules.SortedKeys(marks) {
		r.Emit(event.GM(), &eventv1.MarkSet{Subject: id, Mark: m, Value: marks[m]})
	}
	return nil
}

func reactOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return optionsOfPowers(s, c, func(p *eventv1.RcrPower) bool { return p.Cost == "reaction" })
}

func doReact(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if p := powerOf(c, take.Item); p == nil || p.Cost != "reaction" {
		return noSuch("take.item", take.Item, "power of "+c.Name+" that costs the reaction", namesOf(sheetOf(c).Powers))
	}
	return usePower(r, c, take)
}
