package original

import (
	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var (
	_ rules.System   = System{}
	_ rules.Worded   = System{}
	_ rules.Refereed = System{}
)

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: body.ID, Title: "Original Edition Combat", Version: body.Version, Content: content.Digest()}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return thestrike.Medicine{} }

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if thestrike.BookError != nil {
		return thestrike.BookError
	}
	f, err := frame()
	if err != nil {
		return err
	}
	return f.Act(r, take)
}

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	f, err := frame()
	if err != nil {
		return nil
	}
	return f.Options(q)
}
