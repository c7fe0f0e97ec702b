package injury_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/limits"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// Each field of a request to assess harm is refused by its name, at its bound: a label is
// of 1 to 256 bytes, faces are for the fight or a preview, the target is in the state.
func TestWhatAssessingRefusesByName(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		change func(*injuryv1.AssessRequest)
		field  string // none: it is taken
	}{
		"for nothing said":     {func(r *injuryv1.AssessRequest) { r.Purpose = 0 }, ""},
		"for a preview":        {func(r *injuryv1.AssessRequest) { r.Purpose = dicev1.Purpose_PURPOSE_PREVIEW }, ""},
		"for a dry run of old": {func(r *injuryv1.AssessRequest) { r.Purpose = dicev1.Purpose_PURPOSE_DRY_RUN }, "purpose"},
		"for less than that":   {func(r *injuryv1.AssessRequest) { r.Purpose = -1 }, "purpose"},
		"no label":             {func(r *injuryv1.AssessRequest) { r.Label = "" }, "label"},
		"the longest label":    {func(r *injuryv1.AssessRequest) { r.Label = strings.Repeat("x", limits.LabelBytes) }, ""},
		"a longer label":       {func(r *injuryv1.AssessRequest) { r.Label = strings.Repeat("x", limits.LabelBytes+1) }, "label"},
		"no target":            {func(r *injuryv1.AssessRequest) { r.Harm.Deed, r.Harm.Target = "sing", "" }, "harm.deed"},
		"a target elsewhere":   {func(r *injuryv1.AssessRequest) { r.Harm.Deed, r.Harm.Target = "sing", "elf" }, "harm.target"},
		"no encounter":         {func(r *injuryv1.AssessRequest) { r.Encounter = "" }, "encounter"},
		"no table":             {func(r *injuryv1.AssessRequest) { r.Table = "" }, "table"},
		"no state":             {func(r *injuryv1.AssessRequest) { r.State = nil }, "state"},
		"no harm":              {func(r *injuryv1.AssessRequest) { r.Harm = nil }, "harm"},
		"no numbers":           {func(r *injuryv1.AssessRequest) { r.Numbers = nil }, ""},
	} {
		req := strike(eventv1.DicePolicy_DICE_POLICY_SERVER, nil)
		c.change(req)
		_, err := w.client.Assess(w.ctx(), req)
		if c.field == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		w.field(err, c.field)
	}
}
