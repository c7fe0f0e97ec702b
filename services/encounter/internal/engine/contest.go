package engine

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// beside tells whether a command is about the history rather than part of it: it
// runs no rule, waits for no decision, and no ruling takes it back.
func beside(cmd *eventv1.Command) bool {
	switch cmd.GetWhat().(type) {
	case *eventv1.Command_Contest, *eventv1.Command_TakeBack, *eventv1.Command_AnswerContest, *eventv1.Command_Settle, *eventv1.Command_Save:
		return true
	}
	return false
}

// besideHistory decides such a command.
func (e *Engine) besideHistory(ctx context.Context, f *Fight, req Request) (*draft, error) {
	cmd := req.Command
	switch {
	case len(cmd.Faces) > 0:
		return nil, fault.Field("command.faces", "nothing is rolled")
	case len(cmd.Answers) > 0:
		return nil, fault.Field("command.answers", "nothing is asked")
	}
	switch w := cmd.What.(type) {
	case *eventv1.Command_Contest:
		return e.contest(ctx, f, req, w.Contest)
	case *eventv1.Command_TakeBack:
		return e.takeBack(ctx, f, req, w.TakeBack)
	case *eventv1.Command_AnswerContest:
		return e.answerContest(ctx, f, req, w.AnswerContest)
	case *eventv1.Command_Settle:
		return e.settle(ctx, f, req, w.Settle)
	}
	return e.save(f, cmd)
}

// aside is the Commit of events that stand beside the history: what waits goes on
// waiting.
func aside(f *Fight, cmd *eventv1.Command, events []*eventv1.Event) (*draft, error) {
	return newDraft(cmd, 0, nil, events, f.replica.Pending != nil, nil)
}

// contest files a contest of a step.
func (e *Engine) contest(ctx context.Context, f *Fight, req Request, c *eventv1.ContestStep) (*draft, error) {
	r := f.replica
	policy := rules.OfTable(r.State(), rules.SettingContests)
	if policy == rules.ContestsOff && req.As.Role != eventv1.Principal_ROLE_GM {
		return nil, fault.New(fault.Denied, "CONTESTS_OFF", "at this table players contest nothing")
	}
	seen := r.View(req.As).Versions
	if c.Step == 0 || c.Step > uint64(len(seen)) {
		return nil, fault.Field("command.contest.step", "must be one of your steps, 1 to %d", len(seen))
	}
	if err := checkClaim(c); err != nil {
		return nil, err
	}
	version, kind, err := e.contested(ctx, f, seen[c.Step-1], c)
	if err != nil {
		return nil, err
	}
	out := e.newContest(f, req.As, c.Words, kind, version)
	out.Claim, out.Private = c.Claim, policy == rules.ContestsPrivate
	if err := mayFile(r.State(), out); err != nil {
		return nil, err
	}
	told, err := e.toldOf(ctx, f, out)
	if err != nil {
		return nil, err
	}
	return aside(f, req.Command, told)
}

// newContest is an open contest that the next Commit files.
func (e *Engine) newContest(f *Fight, as *eventv1.Principal, words string, kind eventv1.Contest_Kind, version uint64) *eventv1.Contest {
	return &eventv1.Contest{Id: contestID(f.replica, f.replica.Version+1), Kind: kind, Status: eventv1.Contest_STATUS_OPEN,
		By: &eventv1.Principal{Role: as.Role, Name: as.Name}, Words: words, Version: version}
}

// contestID is the id of a contest that a version files: nobody without the log can tell
// how many there were before.
func contestID(r *replica.Replica, version uint64) string {
	mac := hmac.New(sha256.New, r.Genesis)
	mac.Write(binary.BigEndian.AppendUint64([]byte("skald/contest/v1"), version))
	return hex.EncodeToString(mac.Sum(nil)[:6])
}

// filedAt is the version that filed a contest: the next, where none did yet.
func filedAt(r *replica.Replica, id string) uint64 {
	for _, v := range slices.Backward(r.Asides) {
		if contestID(r, v) == id {
			return v
		}
	}
	return r.Version + 1
}

// InOrderFiled are the ids of contests in the order of the log: two may be filed in one
// millisecond, and a clock may go back.
func InOrderFiled(r *replica.Replica, contests map[string]*eventv1.Contest) []string {
	ids := rules.SortedKeys(contests)
	if len(ids) < 2 {
		return ids
	}
	filed := make(map[string]uint64, len(r.Asides))
	for _, v := range r.Asides {
		filed[contestID(r, v)] = v
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(filed[a], filed[b]) })
	return ids
}

// checkClaim refuses what is no claim. It looks at the words alone: what they say of
// the fight is for the game master's dry run, or a refusal would tell.
func checkClaim(c *eventv1.ContestStep) error {
	if err := text.Line(c.Words, limits.LineBytes); err != nil {
		return fault.Field("command.contest.words", "%v", err)
	}
	claim := c.Claim
	if c.Words == "" && claim == nil {
		return fault.Field("command.contest.words", "say what is claimed, in words or as a change")
	}
	if n := proto.Size(claim); n > limits.ContestClaimBytes {
		return fault.Limit("bytes of a claim", limits.ContestClaimBytes, int64(n))
	}
	if claim.GetDrop() && (claim.Change != nil || claim.ClearCircumstances || len(claim.Rolls) > 0) {
		return fault.Field("command.contest.claim.drop", "what should not count cannot be changed as well")
	}
	for i, x := range claim.GetRolls() {
		if x.GetLabel() == "" || len(x.Faces) == 0 {
			return fault.Field(indexed("command.contest.claim.rolls", i), "wants a label and faces")
		}
	}
	return nil
}

// contested is the version of the command that a step is of, as an amendment names
// it; the step's own where it is a ruling.
func (e *Engine) contested(ctx context.Context, f *Fight, version uint64, c *eventv1.ContestStep) (uint64, eventv1.Contest_Kind, error) {
	if origin, stands := counts(f.replica, version); stands {
		return origin, eventv1.Contest_KIND_CLAIM, nil
	}
	entry, err := e.entry(ctx, f, version)
	if err != nil {
		return 0, 0, err
	}
	ruled := slices.ContainsFunc(entry.Commit.Events, func(ev *eventv1.Event) bool { return ev.GetReverted() != nil || ev.GetAmended() != nil })
	switch {
	case ruled && c.Claim != nil:
		return 0, 0, fault.Field("command.contest.claim", "a ruling is contested in words; to claim a change, contest the step that it was about")
	case ruled:
		return version, eventv1.Contest_KIND_RULING, nil
	case entry.Commit.Cause.Action == 0:
		return 0, 0, fault.Field("command.contest.step", "nothing was decided in step %d that could be contested", c.Step)
	}
	if origin, err := e.asked(ctx, f, entry); err != nil || origin > 0 {
		return origin, eventv1.Contest_KIND_CLAIM, err
	}
	return 0, 0, fault.Refuse("TAKEN_BACK", "", "step %d was taken back by a ruling: there is nothing left to contest", c.Step)
}

// counts finds the command of a version in the history that counts.
func counts(r *replica.Replica, version uint64) (origin uint64, stands bool) {
	for _, l := range r.Chain {
		if l.Origin == version || slices.Contains(l.Answers, version) {
			return l.Origin, true
		}
	}
	return 0, false
}

// asked is the version of the command that asked what an entry answers, where a ruling
// decided that command again: its link says nothing of answers any more. 0 when it counts
// no more.
func (e *Engine) asked(ctx context.Context, f *Fight, entry *Entry) (uint64, error) {
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(entry.Commit.Cause.Command, cmd); err != nil || cmd.GetAnswer() == nil {
		return 0, nil //nolint:nilerr // what cannot be read is no answer
	}
	for _, l := range f.replica.Chain {
		if !l.Held() || l.Origin > entry.Commit.Header.Version { // a later command may have the number of one that was taken back
			continue
		}
		rec, err := e.recordOf(ctx, f, l)
		if err != nil {
			return 0, err
		}
		if rec.action == entry.Commit.Cause.Action {
			return l.Origin, nil
		}
	}
	return 0, nil
}

// sameCaller tells whether two principals are one, as far as a contest goes.
func sameCaller(a, b *eventv1.Principal) bool {
	if a.GetRole() == eventv1.Principal_ROLE_GM {
		return b.GetRole() == a.GetRole() // the name of a game master is free
	}
	return a.GetRole() == b.GetRole() && a.GetName() == b.GetName()
}

// mayFile refuses a contest that is there already, and more than there may be.
func mayFile(s *eventv1.State, c *eventv1.Contest) error {
	open, own := 0, 0 // those of others are not counted: how many there are is not the claimant's to know
	for _, id := range rules.SortedKeys(s.Contests) {
		old := s.Contests[id]
		if !sameCaller(c.By, old.By) {
			continue
		}
		own++
		if old.Status == eventv1.Contest_STATUS_OPEN {
			open++
		}
		if old.Kind != c.Kind || old.Version != c.Version && c.Kind != eventv1.Contest_KIND_TAKE_BACK {
			continue
		}
		switch {
		case old.Status == eventv1.Contest_STATUS_OPEN:
			return fault.Refuse("CONTEST_REPEATED", "", "your contest %q of this waits to be settled; give it up first to say something else", id)
		case c.Kind != eventv1.Contest_KIND_TAKE_BACK && old.Words == c.Words && proto.Equal(old.Claim, c.Claim):
			return fault.Refuse("CONTEST_REPEATED", "", "that was settled as contest %q", id)
		}
	}
	if open >= limits.OpenContests {
		return fault.Limit("open contests of one claimant", limits.OpenContests, int64(open)+1)
	}
	if own >= limits.Contests {
		return fault.Limit("contests of one claimant", limits.Contests, int64(own)+1)
	}
	return nil
}

// openContest finds a contest that waits.
func openContest(s *eventv1.State, field, id string) (*eventv1.Contest, error) {
	c := s.Contests[id]
	if c == nil {
		return nil, fault.New(fault.NotFound, "UNKNOWN_CONTEST", "%s: there is no contest %q", field, id)
	}
	if c.Status != eventv1.Contest_STATUS_OPEN {
		return nil, fault.Refuse("CONTEST_SETTLED", "", "contest %q is settled already", id)
	}
	return proto.CloneOf(c), nil
}

// settle settles a contest by the game master's word.
func (e *Engine) settle(ctx context.Context, f *Fight, req Request, s *eventv1.SettleContest) (*draft, error) {
	if err := text.Line(s.Reason, limits.LineBytes); err != nil {
		return nil, fault.Field("command.settle.reason", "%v", err)
	}
	c, err := openContest(f.replica.State(), "command.settle.contest", s.Contest)
	if err != nil {
		return nil, err
	}
	c.Reason, c.Status = s.Reason, eventv1.Contest_STATUS_DECLINED
	if !s.Uphold && s.Reason == "" {
		return nil, fault.Field("command.settle.reason", "say why it is declined")
	}
	if s.Uphold && c.Kind == eventv1.Contest_KIND_TAKE_BACK {
		return e.grant(ctx, f, req, c, f.replica.State().RepeatPolicy)
	}
	if s.Uphold {
		c.Status = eventv1.Contest_STATUS_UPHELD
	}
	told, err := e.toldOf(ctx, f, c)
	if err != nil {
		return nil, err
	}
	return aside(f, req.Command, told)
}

// upheldBy is the contest that a ruling says it upholds; nil for none.
func upheldBy(r *replica.Replica, cmd *eventv1.Command) (*eventv1.Contest, error) {
	field, id := "command.amend.contest", cmd.GetAmend().GetContest()
	if cmd.GetRevert() != nil {
		field, id = "command.revert.contest", cmd.GetRevert().Contest
	}
	if id == "" {
		return nil, nil
	}
	return openContest(r.State(), field, id)
}

// uphold adds to the Commit of a ruling that it upholds a contest.
func (e *Engine) uphold(ctx context.Context, f *Fight, cmd *eventv1.Command, c *eventv1.Contest, d *draft) error {
	c.Status, c.Reason, c.Ruling = eventv1.Contest_STATUS_UPHELD, cmd.GetAmend().GetReason()+cmd.GetRevert().GetReason(), f.replica.Version+1
	told, err := e.toldOf(ctx, f, c)
	d.events = append(d.events, told...)
	return err
}

// toldOf are the events that tell of a contest as it stands: what all who may know
// of it are told, what the claimant is, and the whole for the game master, who also
// hears of it first, so that nobody is told who gave the command.
func (e *Engine) toldOf(ctx context.Context, f *Fight, c *eventv1.Contest) ([]*eventv1.Event, error) {
	s := f.replica.State()
	whole := event.New(event.GM(), &eventv1.ContestSet{Contest: c})
	own := proto.CloneOf(c)
	own.Version, own.Asked, own.Granted, own.Ruling = 0, nil, nil, 0
	public := proto.CloneOf(own)
	public.Claim, public.Commands = nil, 0
	who, mine, err := e.hearers(ctx, f, c)
	if err != nil {
		return nil, err
	}
	var out []*eventv1.Event
	if who != nil {
		out = append(out, event.Veil(s, event.New(who, &eventv1.ContestSet{Contest: public}))...)
	}
	if mine != nil {
		out = append(out, event.Veil(s, event.New(mine, &eventv1.ContestSet{Contest: own}))...)
	}
	return append(append([]*eventv1.Event{whole}, out...), whole), nil
}

// hearers are who is told of a contest: those who saw what it is about, and the
// claimant. Either may be nil.
func (e *Engine) hearers(ctx context.Context, f *Fight, c *eventv1.Contest) (all, mine *eventv1.Audience, err error) {
	s := f.replica.State()
	var own []string
	if c.By.GetRole() == eventv1.Principal_ROLE_PLAYER {
		for _, id := range rules.SortedKeys(s.Creatures) {
			if event.Belongs(s.Creatures[id], c.By) {
				own = append(own, id)
			}
		}
		if len(own) > 0 {
			mine = event.Controllers(own...)
		}
	}
	everyone, names, err := e.witnesses(ctx, f, c)
	switch {
	case err != nil:
		return nil, nil, err
	case c.Private && mine == nil && c.By.GetRole() == eventv1.Principal_ROLE_PLAYER:
		return nil, nil, noCreature()
	case c.Private:
		return nil, mine, nil
	case everyone:
		return event.Everyone(), mine, nil
	case mine == nil && c.By.GetRole() == eventv1.Principal_ROLE_PLAYER:
		return nil, nil, noCreature()
	}
	if saw := creaturesOf(s, names); len(saw) > 0 {
		all = event.Controllers(saw...)
	}
	return all, mine, nil
}

func noCreature() error {
	return fault.Refuse("NO_CREATURE", "", "you play nobody in this fight, so that nobody could tell you what becomes of it; ask the game master")
}

// creaturesOf are the creatures all of whose players are among some.
func creaturesOf(s *eventv1.State, names []string) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		by := s.Creatures[id].Controllers
		if len(by) > 0 && !slices.ContainsFunc(by, func(name string) bool { return !slices.Contains(names, name) }) {
			out = append(out, id)
		}
	}
	return out
}

// witnesses are who saw any of what a contest is about: of its step, or of the commands of
// a take-back with the answers that they met. Once a take-back is filed, they are those who
// were told of it: what became of its commands changes nothing of that.
func (e *Engine) witnesses(ctx context.Context, f *Fight, c *eventv1.Contest) (everyone bool, names []string, err error) {
	filed := f.replica.State().Contests[c.Id] != nil
	switch {
	case c.Kind != eventv1.Contest_KIND_TAKE_BACK:
		return e.sawStep(ctx, f, c.Version)
	case filed:
		return e.toldWhenFiled(ctx, f, c)
	}
	own, err := e.ownLast(ctx, f, c.By, int(c.Commands))
	if err != nil {
		return false, nil, err
	}
	return e.sawAny(ctx, f, own)
}

// sawStep are who heard any event of a step.
func (e *Engine) sawStep(ctx context.Context, f *Fight, version uint64) (everyone bool, names []string, err error) {
	entry, err := e.entry(ctx, f, version)
	if err != nil {
		return false, nil, err
	}
	for _, h := range entry.Heard {
		everyone = everyone || h.Everyone
		names = append(names, h.Players...)
	}
	for _, key := range entry.Restored {
		f.Read(func(r *replica.Replica) {
			switch v := r.Views[key]; v.Principal.GetRole() {
			case eventv1.Principal_ROLE_PLAYER:
				names = append(names, v.Principal.Name)
			case eventv1.Principal_ROLE_SPECTATOR:
				everyone = true
			}
		})
	}
	return everyone, names, nil
}

// toldWhenFiled are who was told of a contest when it was filed, its claimant's own word
// left out.
func (e *Engine) toldWhenFiled(ctx context.Context, f *Fight, c *eventv1.Contest) (everyone bool, names []string, err error) {
	entry, err := e.entry(ctx, f, filedAt(f.replica, c.Id))
	if err != nil {
		return false, nil, err
	}
	for i, ev := range entry.Commit.Events {
		if told := ev.GetContest().GetContest(); told == nil || told.Commands > 0 {
			continue
		}
		everyone = everyone || entry.Heard[i].Everyone
		names = append(names, entry.Heard[i].Players...)
	}
	return everyone, names, nil
}

// save gives the state of now a name, or takes the name away.
func (e *Engine) save(f *Fight, cmd *eventv1.Command) (*draft, error) {
	w, s := cmd.GetSave(), f.replica.State()
	if err := text.Name(w.Name); err != nil {
		return nil, fault.Field("command.save.name", "%v", err)
	}
	there := slices.ContainsFunc(s.SavePoints, func(p *eventv1.SavePoint) bool { return p.Name == w.Name })
	p := &eventv1.SavePoint{Name: w.Name, Version: f.replica.Version}
	switch {
	case w.Forget && !there:
		return nil, fault.New(fault.NotFound, "UNKNOWN_SAVE_POINT", "there is no save point %q", w.Name)
	case w.Forget:
		p.Version = 0
	case there:
		return nil, fault.New(fault.Exists, "SAVE_POINT_EXISTS", "there is already a save point %q; forget it first", w.Name)
	case len(s.SavePoints) >= limits.SavePoints:
		return nil, fault.Limit("save points", limits.SavePoints, int64(len(s.SavePoints))+1)
	}
	return aside(f, cmd, []*eventv1.Event{event.New(event.GM(), &eventv1.SavePointSet{SavePoint: p})})
}

// savedAt is where a save point leads.
func savedAt(s *eventv1.State, name string) (past, error) {
	for _, p := range s.SavePoints {
		if p.Name == name {
			return past{version: p.Version}, nil
		}
	}
	var names []string
	for _, p := range s.SavePoints {
		names = append(names, p.Name)
	}
	return past{}, fault.Field("command.revert.save_point", "there is no save point %q%s", name, rules.DidYouMean(name, names))
}
