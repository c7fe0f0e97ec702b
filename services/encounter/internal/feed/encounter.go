package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// position is where the messages of an encounter end.
type position struct {
	at   map[feed.Format]feed.Place
	mark feed.Mark
}

// after is the number that every format has come to.
func (p *position) after() uint64 {
	n := ^uint64(0)
	for _, f := range feed.Formats {
		n = min(n, p.at[f].Number)
	}
	return n
}

// errSource says that the record could not be read: nothing is wrong with the feed.
var errSource = errors.New("feed: reading the record")

// errFork says that the feed has another history than the record.
var errFork = errors.New("feed: it holds another history")

// encounter brings the feed up to an encounter. Where another writer was faster, it
// is looked at once more later.
func (p *Publisher) encounter(ctx context.Context, k key, sequence uint64) error {
	refilled := false
	if p.torn[k] {
		if err := p.refill(ctx, k, "it had holes"); err != nil {
			p.again(p.due, k, sequence)
			return err
		}
		refilled = true
		delete(p.torn, k)
	}
	at, err := p.write(ctx, k)
	if errors.Is(err, errFork) || errors.Is(err, feed.ErrForeign) {
		if e := p.refill(ctx, k, err.Error()); e != nil {
			p.again(p.due, k, sequence)
			return e
		}
		refilled = true
		at, err = p.write(ctx, k)
	}
	switch {
	case err == nil:
		if at < sequence { // the record was stored, and the fight not yet brought up to it
			p.again(p.late, k, sequence)
		}
		return nil
	case gone(err):
		return nil
	}
	delete(p.at, k)
	p.again(p.due, k, sequence)
	if !errors.Is(err, feed.ErrRaced) {
		return err
	}
	if refilled { // the other one may have gone on from before
		return p.begins(ctx, k)
	}
	return nil
}

// begins holds that what another writer has written begins with the first step.
func (p *Publisher) begins(ctx context.Context, k key) error {
	for _, f := range feed.Formats {
		subject, err := feed.Subject(f, k.table, k.encounter)
		if err != nil {
			return err
		}
		at, err := p.cfg.Writer.First(ctx, subject)
		if err != nil && !errors.Is(err, feed.ErrForeign) {
			return err
		}
		if at.Number != 1 {
			p.torn[k] = true
		}
	}
	return nil
}

// gone tells of an encounter that has nothing to publish: its record is broken, its
// table was deleted, or it is not there.
func gone(err error) bool {
	f, ok := fault.As(err)
	return ok && (f.Code == fault.Broken || f.Code == fault.NotFound || f.Reason == projection.ReasonDeleted)
}

// refill removes what there is of an encounter, so that it is written anew.
func (p *Publisher) refill(ctx context.Context, k key, why string) error {
	p.cfg.Logger.WarnContext(ctx, "an encounter in the feed is filled in from the beginning", "table", k.table, "encounter", k.encounter, "why", why)
	if err := p.cfg.Writer.Forget(ctx, k.table, k.encounter); err != nil {
		return err
	}
	p.keep(k, &position{at: map[feed.Format]feed.Place{}}) // and not what a mark says that was written meanwhile
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refills++
	return nil
}

// write writes what is missing, and returns the sequence that it was read at.
func (p *Publisher) write(ctx context.Context, k key) (sequence uint64, err error) {
	pos, err := p.position(ctx, k)
	if err != nil {
		return 0, err
	}
	for {
		page, err := p.cfg.Source.Published(ctx, k.table, k.encounter, pos.after())
		if err != nil {
			return 0, fmt.Errorf("%w: %s/%s: %w", errSource, k.table, k.encounter, err)
		}
		if pos.after() > page.Number {
			return page.Sequence, nil // another process has seen more than this one yet
		}
		if err := pos.follows(pos.after(), page.Before); err != nil {
			return 0, err
		}
		for _, step := range page.Steps {
			if err := p.step(ctx, k, pos, step); err != nil {
				return 0, err
			}
		}
		if !page.More {
			return page.Sequence, p.mark(ctx, k, pos, page)
		}
	}
}

// follows holds the messages that end at a number against the record.
func (p *position) follows(number uint64, transcript []byte) error {
	for _, f := range feed.Formats {
		if at := p.at[f]; at.Number == number && number > 0 && !bytes.Equal(at.Transcript, transcript) {
			return fmt.Errorf("%w: at step %d", errFork, number)
		}
	}
	return nil
}

// step writes one step in the formats that have not come to it.
func (p *Publisher) step(ctx context.Context, k key, pos *position, s *encounterv1.Step) error {
	if err := pos.follows(s.Number, s.Transcript); err != nil {
		return err
	}
	for _, f := range feed.Formats {
		at := pos.at[f]
		if at.Number >= s.Number {
			continue
		}
		if at.Number+1 != s.Number {
			return fmt.Errorf("feed: step %d of %s/%s comes after %d", s.Number, k.table, k.encounter, at.Number)
		}
		data, err := encode(f, s)
		if err != nil {
			return fmt.Errorf("feed: step %d of %s/%s: %w", s.Number, k.table, k.encounter, err)
		}
		seq, err := p.cfg.Writer.Write(ctx, &feed.Message{Format: f, Table: k.table, Encounter: k.encounter, Number: s.Number, Cursor: s.Cursor,
			Transcript: s.Transcript, Digest: attest.Digest(s.Bytes), Data: data}, at.Sequence)
		if err != nil {
			return err
		}
		pos.at[f] = feed.Place{Sequence: seq, Number: s.Number, Transcript: s.Transcript}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps++
	return nil
}

// encode is a step in a format.
func encode(f feed.Format, s *encounterv1.Step) ([]byte, error) {
	if f == feed.Protobuf {
		return proto.MarshalOptions{Deterministic: true}.Marshal(s)
	}
	data, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(s)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer // protojson draws spaces
	if err := json.Compact(&out, data); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// position finds where the messages of an encounter end: the last ones say so, and
// where the stream let all of them go, the mark.
func (p *Publisher) position(ctx context.Context, k key) (*position, error) {
	if pos, ok := p.at[k]; ok {
		return pos, nil
	}
	mark, err := p.cfg.Writer.Mark(ctx, k.table, k.encounter)
	if err != nil {
		return nil, err
	}
	pos := &position{at: map[feed.Format]feed.Place{}, mark: mark}
	for _, f := range feed.Formats {
		subject, err := feed.Subject(f, k.table, k.encounter)
		if err != nil {
			return nil, err
		}
		at, err := p.cfg.Writer.Last(ctx, subject)
		if err == nil && at.Number == 0 {
			at, err = p.aged(ctx, f, mark)
		}
		if err != nil {
			return nil, err
		}
		pos.at[f] = at
	}
	p.keep(k, pos)
	return pos, nil
}

// keep remembers where an encounter ends.
func (p *Publisher) keep(k key, pos *position) {
	if len(p.at) >= places {
		clear(p.at)
	}
	p.at[k] = pos
}

// aged is where a subject without messages goes on: behind the mark, if the stream
// let go of what it names, and with the first step otherwise.
func (p *Publisher) aged(ctx context.Context, f feed.Format, m feed.Mark) (feed.Place, error) {
	seq := m.Sequences[f]
	if m.Number == 0 || m.Feed != p.opened || seq == 0 {
		return feed.Place{}, nil
	}
	span, err := p.cfg.Writer.Span(ctx)
	if err != nil || seq >= span.First || seq > span.Last {
		return feed.Place{}, err
	}
	return feed.Place{Number: m.Number, Transcript: m.Transcript}, nil
}

// mark notes how far the feed has come.
func (p *Publisher) mark(ctx context.Context, k key, pos *position, at Page) error {
	m := feed.Mark{Feed: p.opened, Version: at.Version, Hash: at.Hash, Sequences: map[feed.Format]uint64{}}
	for _, f := range feed.Formats {
		end := pos.at[f]
		m.Number, m.Transcript, m.Sequences[f] = end.Number, end.Transcript, end.Sequence
		if end.Sequence == 0 && pos.mark.Number == end.Number { // none of it is left
			m.Sequences[f] = pos.mark.Sequences[f]
		}
	}
	if pos.mark.Feed == m.Feed && pos.mark.Version == m.Version && bytes.Equal(pos.mark.Hash, m.Hash) && pos.mark.Number == m.Number {
		return nil
	}
	now, err := p.cfg.Writer.SetMark(ctx, k.table, k.encounter, pos.mark, m)
	if err != nil {
		return err
	}
	pos.mark = now
	return nil
}
