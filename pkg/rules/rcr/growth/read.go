package growth

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// reading is a sheet being read.
type reading struct {
	state *eventv1.State
	sheet *eventv1.Sheet
	s     *eventv1.RcrSheet
	by    []string // rules behind what was added, each once
}

// Read gives a sheet with its chosen feats worked in, each marked as included, and the
// rules behind what they gave; the very sheet where none is chosen. Without the module
// of the feats they are left as they are. A refusal names what a feat asks for.
//
// rcr.feat.revised-text-replaces
func Read(state *eventv1.State, sheet *eventv1.Sheet) (*eventv1.Sheet, []string, error) {
	if len(sheet.GetRcr().GetChosenFeats()) == 0 {
		return sheet, nil, nil
	}
	r := &reading{state: state, sheet: proto.CloneOf(sheet)}
	r.s = r.sheet.GetRcr()
	for _, f := range r.s.ChosenFeats {
		if name := body.FeatName(f.Name); !body.HasFeat(r.creature(), name) {
			r.s.Feats = append(r.s.Feats, name)
		}
	}
	if !body.InForce(state, cite.FeatRevisedTextReplaces) {
		return r.sheet, nil, nil
	}
	if err := swapped(state, state.Creatures[sheet.Id], r.creature()); err != nil {
		return nil, nil, err
	}
	for _, f := range r.s.ChosenFeats { // as they were taken: one may bring what the next asks for
		taken := func(feat string) bool { return feat == body.FeatName(f.Name) }
		if err := Prerequisites(state, r.creature(), taken); err != nil {
			return nil, nil, err
		}
		r.work(f)
	}
	return r.sheet, r.by, nil
}

// creature is the sheet as that of a creature, for questions about it.
func (r *reading) creature() *eventv1.Creature {
	return &eventv1.Creature{Id: r.sheet.Id, Name: r.sheet.Name, Sheet: r.sheet}
}

// cited keeps the rules behind what is added.
func (r *reading) cited(rules ...string) {
	for _, rule := range rules {
		if !slices.Contains(r.by, rule) {
			r.by = append(r.by, rule)
		}
	}
}

func (r *reading) on(rule string) bool { return body.InForce(r.state, rule) }

// work works one feat in.
func (r *reading) work(f *eventv1.RcrFeat) {
	feat := body.FeatName(f.Name)
	if feat == body.FeatTough {
		r.tough(f)
	}
	if f.Included {
		return
	}
	if rule := abilityRules[feat]; rule != "" {
		ability := f.Ability
		if ability == "" {
			ability = body.Book.FeatAbilities[feat][0] // there is no choice
		}
		r.raise(ability, rule)
	}
	r.learn(feat, f)
	r.train(feat, f)
	r.adepts(feat, f)
	f.Included, f.IncludedLevel = true, r.s.Level
}

// tough gives two hit points for each level: all of them as the feat is taken, then
// those of each level that comes after.
//
// rcr.feat.tough-gain, rcr.feat.tough-level
func (r *reading) tough(f *eventv1.RcrFeat) {
	switch {
	case !f.Included && r.on(cite.FeatToughGain):
		r.sheet.HitPoints += 2 * r.levels()
		r.cited(cite.FeatToughGain)
	case f.Included && f.IncludedLevel > 0 && r.s.Level > f.IncludedLevel:
		if r.on(cite.FeatToughLevel) {
			r.sheet.HitPoints += 2 * (r.s.Level - f.IncludedLevel)
			r.cited(cite.FeatToughLevel)
		}
		f.IncludedLevel = r.s.Level
	}
}

// levels is the character level, or the hit dice of what has none; at least one.
func (r *reading) levels() int32 {
	if r.s.Level > 0 {
		return r.s.Level
	}
	n := int32(0)
	for _, d := range r.s.HitDice {
		n += d.Total
	}
	return max(1, n)
}
