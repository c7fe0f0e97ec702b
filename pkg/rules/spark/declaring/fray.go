package declaring

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Told is a declaration as everyone hears it.
func (d *Declaration) Told(id string) *eventv1.ActionTaken {
	a := &eventv1.ActionTaken{Creature: id, Action: d.Kind, Targets: slices.Clone(d.Targets), Item: d.Spell + d.Weapon}
	for i, st := range d.Strikes {
		a.Targets = append(a.Targets, st.Target)
		if i == 0 {
			a.Item = st.Weapon
		}
	}
	if d.Thing != nil {
		a.Item = d.Thing.Name
	}
	if d.Text != "" {
		a.Notes = append(a.Notes, d.Text)
	}
	if d.Bonus != nil {
		a.Notes = append(a.Notes, "bonus action: "+d.Bonus.Kind+" "+d.Bonus.Item)
	}
	return a
}
