package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SkillNames are all skills and the tools of a creature, in order.
func SkillNames(c *eventv1.Creature) []string {
	return slices.Concat(plainSkills, ToolNames(c), Abilities)
}

// plainSkills are the skills that every creature has.
var plainSkills = rules.SortedKeys(SkillAbility)

// plainSkill tells whether a name is a skill or an ability, which every creature has.
func plainSkill(name string) bool {
	_, ok := SkillAbility[name]
	return ok || slices.Contains(Abilities, name)
}

// ToolNames are the tools of a creature, in the order of the sheet.
func ToolNames(c *eventv1.Creature) (names []string) {
	for _, t := range SheetOf(c).Tools {
		names = append(names, t.Name)
	}
	return names
}

// ReadCheck reads what is common to checks out of a command.
func ReadCheck(take *eventv1.TakeAction) (dc int32, purpose string, o CheckOpts) {
	dc, _ = spoken.Number(take.Parameters, "dc")
	purpose = spoken.Word(take.Parameters, "sense")
	target := ""
	if len(take.Targets) == 1 {
		target = take.Targets[0]
	}
	o.Edges, o.Modifiers = StatedEdges(take.Circumstances, target)
	o.Kinds = Renamed(take.Facts, "kinds")
	o.Inspiration = spoken.Truth(take.Parameters, "inspiration")
	o.Kit, o.Water = spoken.Truth(take.Parameters, "kit"), SaidOfWater(take.Facts)
	o.About, o.Dim = spoken.Word(take.Facts, "about"), spoken.Truth(take.Facts, "dim")
	return dc, purpose, o
}

// ExpendKit takes the use of a kit that a check is made with.
func ExpendKit(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	if spoken.Truth(take.Parameters, "kit") {
		Spend(r, id, CKit, "a Medicine check with the kit", cite.HealingKitUseExpended)
	}
}
