package scenario

import (
	"context"
	"slices"
	"strings"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// housePrefix begins the ids of rules that packs have.
const housePrefix = "house."

// putPacks puts the packs of the scenario at its table and returns how its
// encounter names them. It holds that the packs have the house rules that the
// scenario cites.
func (r *run) putPacks(ctx context.Context) []string {
	var names []string
	for _, k := range r.s.Packs {
		r.at = Failure{Title: "pack " + k.Ref, Line: k.Line}
		if k.Files == nil {
			names = append(names, k.Ref)
			continue
		}
		resp, err := r.clients.Content.PutPack(ctx, &encounterv1.PutPackRequest{As: viewer("gm"), Table: r.table, Files: k.Files})
		if err != nil {
			r.fail("call", "%v", err)
			return nil
		}
		names = append(names, resp.GetPack().GetDigest())
	}
	r.checkHouseRules(ctx, names)
	return names
}

func (r *run) checkHouseRules(ctx context.Context, packs []string) {
	cited := slices.DeleteFunc(slices.Clone(r.s.Rules), func(id string) bool { return !strings.HasPrefix(id, housePrefix) })
	if len(cited) == 0 {
		return
	}
	r.at = Failure{Title: "rules", Line: r.s.Line}
	resp, err := r.clients.Content.ListContent(ctx, &encounterv1.ListContentRequest{As: viewer("gm"), Table: r.table, Packs: packs})
	if err != nil {
		r.fail("call", "%v", err)
		return
	}
	for _, id := range cited {
		if !slices.ContainsFunc(resp.Entries, func(e *encounterv1.ContentEntry) bool { return e.Rule == id }) {
			r.fail("rules", "there is no rule %q in the packs", id)
		}
	}
}
