package api

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/engine"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// WhatIf answers the calls about contests and about what would be.
type WhatIf struct {
	encounterv1.UnimplementedWhatIfServiceServer
	// Server finds encounters and what callers saw of them.
	Server *Server
}

// ListContests lists contests as the caller may know of them.
func (w *WhatIf) ListContests(ctx context.Context, req *encounterv1.ListContestsRequest) (*encounterv1.ListContestsResponse, error) {
	f, _, release, err := w.Server.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	master := req.As.Role == eventv1.Principal_ROLE_GM
	if req.DryRun && !master {
		return nil, fault.New(fault.Denied, "NOT_ALLOWED", "only the game master may ask for dry runs")
	}
	out := &encounterv1.ListContestsResponse{}
	f.Read(func(r *replica.Replica) {
		all := r.View(req.As).State.Contests
		for _, id := range engine.InOrderFiled(r, all) {
			c := all[id]
			if req.Contest != "" && req.Contest != id || req.OpenOnly && c.Status != eventv1.Contest_STATUS_OPEN {
				continue
			}
			out.Contests = append(out.Contests, listed(r, req.As, c, master))
		}
	})
	if req.Contest != "" && len(out.Contests) == 0 && !req.OpenOnly {
		return nil, fault.New(fault.NotFound, "UNKNOWN_CONTEST", "there is no contest %q", req.Contest)
	}
	for _, l := range out.Contests {
		if !req.DryRun || l.Ruling == nil {
			continue
		}
		if l.DryRun, err = w.Server.Engine.Preview(engine.Reaching(ctx, auth.From(ctx).Covers), f, req.As, l.Ruling); err != nil {
			if flt, ok := fault.As(err); !ok || flt.Code == fault.Unavailable || flt.Code == fault.Internal {
				return nil, err
			}
			l.Refused = err.Error()
		}
	}
	return out, nil
}

// listed is a contest with what belongs to the caller's own numbers.
func listed(r *replica.Replica, as *eventv1.Principal, c *eventv1.Contest, master bool) *encounterv1.ContestListed {
	whole := r.State().Contests[c.Id]
	out := &encounterv1.ContestListed{Contest: proto.CloneOf(c), Yours: settles(whole, as)}
	at := slices.IndexFunc(r.Chain, func(l replica.Link) bool { return l.Origin == whole.Version })
	versions := []uint64{whole.Version}
	if at >= 0 {
		versions = append(versions, r.Chain[at].Answers...)
	}
	seen := r.View(as).Versions
	for _, v := range versions {
		if _, saw := slices.BinarySearch(seen, v); saw && out.Step == 0 {
			out.Step = replica.NumberAt(seen, v)
		}
	}
	out.TakenBack = out.Step > 0 && at < 0 && whole.Kind != eventv1.Contest_KIND_RULING
	if master && c.Status == eventv1.Contest_STATUS_OPEN && at > 0 {
		out.Ruling = rulingFor(r.Chain[at], c, len(r.Chain)-at)
	}
	return out
}

// settles tells whether a contest waits for a principal.
func settles(c *eventv1.Contest, as *eventv1.Principal) bool {
	if c.Status != eventv1.Contest_STATUS_OPEN {
		return false
	}
	switch as.GetRole() {
	case eventv1.Principal_ROLE_GM:
		return true
	case eventv1.Principal_ROLE_PLAYER:
		return slices.Contains(c.Asked, as.Name) && !slices.Contains(c.Granted, as.Name)
	}
	return false
}

// rulingFor is the ruling that would uphold a contest; nil where its words alone
// say what is claimed. So many commands count from the contested one on.
func rulingFor(l replica.Link, c *eventv1.Contest, since int) *eventv1.Command {
	switch {
	case c.Kind == eventv1.Contest_KIND_TAKE_BACK && !l.Held() && since == int(c.Commands):
		return &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{
			To: &eventv1.RevertEncounter_Version{Version: l.Origin - 1}, Reason: c.Words, Contest: c.Id}}}
	case c.Kind == eventv1.Contest_KIND_TAKE_BACK:
		return &eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{Contest: c.Id, Uphold: true}}}
	case c.Claim == nil:
		return nil
	}
	am := &eventv1.AmendCommand{Version: c.Version, Reason: c.Words, Contest: c.Id, Change: c.Claim.Change,
		Drop: c.Claim.Drop, ClearCircumstances: c.Claim.ClearCircumstances}
	for _, x := range c.Claim.Rolls {
		am.Rolls = append(am.Rolls, &eventv1.FixedRoll{Label: x.Label, Index: x.Index, Faces: x.Faces})
	}
	return &eventv1.Command{What: &eventv1.Command_Amend{Amend: am}}
}

// contestsWaiting are the contests that wait for the caller. They hold up nothing,
// and wait when the fight is over, too.
func contestsWaiting(r *replica.Replica, as *eventv1.Principal) []*encounterv1.Waiting {
	var out []*encounterv1.Waiting
	mine := r.View(as).State.Contests
	for _, id := range engine.InOrderFiled(r, mine) {
		whole := r.State().Contests[id]
		if !settles(whole, as) {
			continue
		}
		w := &encounterv1.Waiting{Kind: encounterv1.Waiting_KIND_CONTEST, Contest: mine[id], Yours: true,
			GameMaster: !whole.ByVote, SinceUnixMillis: whole.UnixMillis}
		switch {
		case as.GetRole() != eventv1.Principal_ROLE_GM:
			w.Players = []string{as.GetName()}
		case whole.ByVote:
			w.Players = slices.DeleteFunc(slices.Clone(whole.Asked), func(n string) bool { return slices.Contains(whole.Granted, n) })
		}
		out = append(out, w)
	}
	return out
}
