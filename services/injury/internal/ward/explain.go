package ward

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/explain"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"

	"github.com/skaldrpg/skald/services/injury/internal/record"
)

// Record answers the calls about what is recorded of patients.
type Record struct {
	injuryv1.UnimplementedPatientRecordServiceServer
	s *Server
}

// RecordOf makes the server of the calls about the record.
func RecordOf(s *Server) *Record { return &Record{s: s} }

// ExplainDeed says why an entry of a patient's history came out as it did.
func (r *Record) ExplainDeed(ctx context.Context, req *injuryv1.ExplainDeedRequest) (*injuryv1.ExplainDeedResponse, error) {
	s := r.s
	tableID, err := s.about(ctx, req.Table, req.Patient, req.As)
	if err != nil {
		return nil, err
	}
	if err := s.catchUpAll(ctx); err != nil { // fights are on subjects of their own
		return nil, err
	}
	n, state, err := s.numbered(tableID, req)
	if err != nil {
		return nil, err
	}
	reply := historyEntry(n, req.As)
	out := &injuryv1.ExplainDeedResponse{Entry: reply.Number, Deed: reply.Deed, Encounter: reply.Encounter, UnixMillis: reply.UnixMillis}
	if err := s.whoAndWhat(ctx, n, req.As, out); err != nil {
		return nil, err
	}
	title := func(string) string { return "" }
	if book, err := s.cfg.Books.Book(ctx, tableID, state.System, state.Packs); err == nil { // it says no more than titles of house rules
		title = book.Title
	}
	style := render.Style{Bookkeeping: true, Labels: true, Record: reply.Encounter == "", Names: render.Names(state)}
	style.Learn(reply.Events)
	if err := within("after_events", uint64(req.AfterEvents), len(reply.Events)); err != nil {
		return nil, err
	}
	to := until(len(reply.Events), int(req.AfterEvents), func(i int) int {
		x := &injuryv1.ExplainedEvent{Event: reply.Events[i]}
		for _, l := range explain.Event(style, title, x.Event) {
			x.Lines = append(x.Lines, &injuryv1.ExplainedLine{Text: l.Text, Rule: l.Rule, RuleTitle: l.Title})
		}
		out.Events = append(out.Events, x)
		return proto.Size(x)
	})
	out.More = to < len(reply.Events)
	return out, nil
}

// numbered finds an entry as the caller counts, and what the caller knows of the
// patient now, for names.
func (s *Server) numbered(tableID string, req *injuryv1.ExplainDeedRequest) (n record.Numbered, state *eventv1.State, err error) {
	err = s.cfg.Store.View(func(tx *projection.Tx) error {
		view, err := record.Now(tx, tableID, req.Patient, req.As)
		if err != nil {
			return err
		}
		if view == nil {
			return unknownPatient(req.Patient)
		}
		state = view.State
		entry := req.Entry
		if entry == 0 {
			if entry, err = record.Entries(tx, tableID, req.Patient, req.As); err != nil {
				return err
			}
		}
		if entry > 0 {
			if _, err = record.History(tx, tableID, req.Patient, req.As, entry-1, 1, func(is record.Numbered) bool { n = is; return true }); err != nil {
				return err
			}
		}
		if n.Entry == nil {
			return fault.New(fault.NotFound, "UNKNOWN_ENTRY", "the history of patient %q has no entry %d", req.Patient, req.Entry)
		}
		return nil
	})
	return n, state, err
}

// whoAndWhat adds who gave the command and what it said, for the game master and for
// whoever gave it. Of fights their own explanations say it.
func (s *Server) whoAndWhat(ctx context.Context, n record.Numbered, as *eventv1.Principal, out *injuryv1.ExplainDeedResponse) error {
	if n.Entry.Encounter != "" {
		return nil
	}
	rec, ok, err := s.cfg.Journal.At(ctx, n.Sequence)
	if err != nil {
		return aggregate.Fault(err)
	}
	if !ok {
		return fault.New(fault.Internal, "LOST_DEED", "the deed can not be found")
	}
	_, c, err := aggregate.Open(rec)
	if err != nil {
		return fault.Wrap(fault.Internal, "LOST_DEED", err, "the deed can not be read")
	}
	by := c.Cause.GetPrincipal()
	own := by.GetRole() == as.GetRole() && by.GetName() == as.GetName()
	if !isGM(as) && !own {
		return nil
	}
	out.By = &eventv1.Principal{Role: by.GetRole(), Name: by.GetName()}
	cmd := &eventv1.Command{}
	if err := proto.Unmarshal(c.Cause.GetCommand(), cmd); err != nil {
		return fault.Wrap(fault.Internal, "LOST_DEED", err, "the deed can not be read")
	}
	out.Inputs = said(cmd)
	if isGM(as) {
		out.Inputs = append(out.Inputs, took(c)...)
	}
	return nil
}

// said is what a command said, line by line.
func said(cmd *eventv1.Command) (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if a := cmd.GetAnswer(); a != nil {
		if a.ByDefault {
			add("answer: as if nobody answered")
		} else {
			add("answer: %s", render.Answer(a.Answer))
		}
	}
	if c := cmd.GetPatient(); c != nil {
		add("deed: %s %s", c.Deed, strings.Join(c.Patients, ", "))
		for _, x := range [][2]string{{"by", c.User}, {"with", c.Item}, {"encounter", c.Encounter}} {
			if x[1] != "" {
				add("%s: %s", x[0], x[1])
			}
		}
		fields := c.GetParameters().GetFields()
		for _, name := range rules.SortedKeys(fields) {
			value, err := protojson.Marshal(fields[name])
			if err == nil {
				add("%s: %s", name, value)
			}
		}
		if c.Sheet != nil {
			add("sheet: %s", c.Sheet.Name)
		}
	}
	if len(cmd.Faces) > 0 {
		add("faces given: %v", cmd.Faces)
	}
	for _, a := range cmd.Answers {
		add("answered ahead: %s %s", a.Decision, render.Answer(a.Answer))
	}
	return out
}

// took is what the deed took from outside beside its command: answers, and the order of
// its faces.
func took(c *event.Opened) (out []string) {
	for _, in := range inputsOf(c.Inputs.GetInputs()) {
		if d := in.GetDraw(); d != nil {
			out = append(out, fmt.Sprintf("drawn: %s as %s: %v, %d of them given by people", d.Expression, in.Label, d.Faces, d.Supplied))
		}
		if a := in.GetAnswer(); a != nil {
			out = append(out, fmt.Sprintf("taken: the answer to %s: %s (by %s)", a.Name, render.Answer(a.Answer), a.By))
		}
	}
	return out
}

// inputsOf are inputs, with those inside harm behind each.
func inputsOf(inputs []*eventv1.Input) (out []*eventv1.Input) {
	for _, in := range inputs {
		out = slices.Concat(out, []*eventv1.Input{in}, inputsOf(in.GetHarm().GetInputs()))
	}
	return out
}
