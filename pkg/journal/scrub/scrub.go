package scrub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/time/rate"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/limits"
)

// alone names the one copy of a stream that has no replicas.
const alone = "the only copy"

// Config of a Scrubber.
type Config struct {
	// NC is the connection; it stays the caller's.
	NC *nats.Conn
	// Stream to read, such as SKALD_0.
	Stream string
	// Rate is the most records read a second, of all replicas together; 0 means
	// limits.ScrubRecordsPerSecond, less than 0 no limit.
	Rate int
	// Patience is how long a replica may deliver nothing while there is
	// something; 0 means 10 s.
	Patience time.Duration
	// Log; nil means slog.Default.
	Log *slog.Logger
}

// Scrubber compares the replicas of one stream. Its passes must not overlap.
type Scrubber struct {
	cfg    Config
	js     jetstream.JetStream
	log    *slog.Logger
	budget *rate.Limiter
	chains *chains
	single bool   // there is one copy only
	next   uint64 // the next pass begins here; 0 and 1 are the beginning

	mu    sync.Mutex // guards what follows, for Part
	state standing
}

// New makes a Scrubber. Nothing is asked yet.
func New(cfg Config) (*Scrubber, error) {
	js, err := jetstream.New(cfg.NC)
	if err != nil {
		return nil, fmt.Errorf("scrub: %w", err)
	}
	if cfg.Stream == "" {
		return nil, errors.New("scrub: no stream is named")
	}
	s := &Scrubber{cfg: cfg, js: js, log: cfg.Log, chains: newChains()}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.cfg.Patience <= 0 {
		s.cfg.Patience = 10 * time.Second
	}
	switch {
	case cfg.Rate < 0:
		s.budget = rate.NewLimiter(rate.Inf, 0)
	case cfg.Rate == 0:
		s.budget = rate.NewLimiter(limits.ScrubRecordsPerSecond, limits.ScrubRecordsPerSecond)
	default:
		s.budget = rate.NewLimiter(rate.Limit(cfg.Rate), max(cfg.Rate, batch))
	}
	return s, nil
}

// Full forgets how far it came: the next pass begins at the beginning.
func (s *Scrubber) Full() { s.next, s.chains = 0, newChains() }

// Pass reads every replica from where the last pass ended to where the stream
// ends now, and compares them. What differs is read a second time before it
// counts. After a pass that found anything the next one is a full one. The error is about the pass (nobody answers, the stream is gone), never
// about what it found.
func (s *Scrubber) Pass(ctx context.Context) (*Report, error) {
	began := time.Now()
	rep := &Report{Stream: s.cfg.Stream, From: max(s.next, 1)}
	peers, first, last, err := s.peers(ctx, rep)
	if err != nil {
		return nil, err
	}
	rep.From, rep.To = max(rep.From, first), last
	if rep.From <= rep.To {
		if err := s.compare(ctx, peers, rep); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(rep.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.Replica, b.Replica))
	})
	rep.Took = time.Since(began)
	if s.next = rep.To + 1; !rep.Whole() {
		s.Full() // whoever was damaged, late or away is read again
	}
	s.note(rep)
	return rep, nil
}

// peers asks the leader who holds a copy and which records there are. Those that
// are down are findings already.
func (s *Scrubber) peers(ctx context.Context, rep *Report) (names []string, first, last uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.cfg.Stream)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("scrub: stream %s: %w", s.cfg.Stream, err)
	}
	info := stream.CachedInfo()
	if info.State.Msgs > 0 {
		end, err := stream.GetLastMsgForSubject(ctx, ">")
		if err != nil {
			return nil, 0, 0, fmt.Errorf("scrub: end of stream %s: %w", s.cfg.Stream, err)
		}
		last = end.Sequence // the last that exists: what lies behind it was purged
	}
	if s.single = info.Config.Replicas <= 1 || info.Cluster == nil || info.Cluster.Leader == ""; s.single {
		return []string{alone}, info.State.FirstSeq, last, nil
	}
	names = []string{info.Cluster.Leader}
	for _, p := range info.Cluster.Replicas {
		if p.Offline {
			rep.add(Finding{Kind: Absent, Replica: p.Name, Detail: "the server is down"})
			continue
		}
		names = append(names, p.Name)
	}
	for n := len(names); n < info.Config.Replicas-countAbsent(rep); n++ {
		rep.add(Finding{Kind: Absent, Detail: fmt.Sprintf("the stream wants %d replicas and has fewer", info.Config.Replicas)})
	}
	slices.Sort(names)
	return names, info.State.FirstSeq, last, nil
}

func countAbsent(rep *Report) int {
	n := 0
	for _, f := range rep.Findings {
		if f.Kind == Absent {
			n++
		}
	}
	return n
}

// add lists a finding, or counts it when there are too many.
func (r *Report) add(f Finding) {
	if len(r.Findings) >= limits.ScrubFindings {
		r.More++
		return
	}
	r.Findings = append(r.Findings, f)
}

// compare reads a stretch, and what differed in it once more.
func (s *Scrubber) compare(ctx context.Context, peers []string, rep *Report) error {
	found, records, read, err := s.stretch(ctx, peers, rep.From, rep.To, s.chains)
	if err != nil {
		return err
	}
	rep.Records, rep.Replicas = records, read
	if len(found) == 0 {
		return nil
	}
	if err := sleep(ctx, min(s.cfg.Patience, 2*time.Second)); err != nil {
		return err
	}
	low, high := span(found, rep.From, rep.To)
	again, _, _, err := s.stretch(ctx, peers, low, high, nil)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.Kind == Chain { // of what all agree on
			rep.add(f)
		} else if f, same := f.both(again); same {
			rep.add(f)
		}
	}
	return nil
}

// span is the stretch that the findings lie in.
func span(found []Finding, from, to uint64) (low, high uint64) {
	low, high = to, from
	for _, f := range found {
		if f.Sequence > 0 {
			low, high = min(low, f.Sequence), max(high, f.Through)
		}
		if !f.Kind.Damage() || f.Kind == Unreadable || f.Sequence == 0 {
			high = to
		}
	}
	return min(low, high), max(low, high)
}

// stretch reads from..to of every replica in step and compares. Chains may be
// nil: then only the replicas are compared.
func (s *Scrubber) stretch(ctx context.Context, peers []string, from, to uint64, c *chains) (list []Finding, records uint64, read []string, err error) {
	consumers, err := s.place(ctx, peers, from)
	if err != nil {
		return nil, 0, nil, err
	}
	found := &findings{}
	readers := map[string]*reader{}
	defer func() {
		for _, r := range readers { // order-free: each is removed by itself
			s.remove(ctx, map[string]jetstream.Consumer{r.replica: r.consumer})
		}
	}()
	for _, p := range peers {
		if consumers[p] == nil {
			found.add(Finding{Kind: Absent, Replica: p, Detail: "no consumer could be placed on it"})
			continue
		}
		readers[p] = &reader{replica: p, consumer: consumers[p], next: from}
	}
	read = slices.Sorted(maps.Keys(readers))
	for {
		if err := s.fillAll(ctx, readers, to, found); err != nil {
			return nil, 0, nil, err
		}
		seq, more := lowest(readers, to)
		if !more {
			return found.list, records, read, nil
		}
		records++
		found.add(judge(take(readers, seq), s.standingAt(readers, seq), c)...)
	}
}

// fillAll brings every reader to its next record. One that delivers nothing is
// passed on to the next sequence that another has, and given up after some.
func (s *Scrubber) fillAll(ctx context.Context, readers map[string]*reader, to uint64, found *findings) error {
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		r := readers[name]
		had := len(r.held)
		err := r.fill(ctx, to, s.patience(r))
		if errors.Is(err, errStalled) {
			if err := s.stalled(ctx, r, to, found); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if n := len(r.held) - had; n > 0 {
			if err := s.budget.WaitN(ctx, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// patience is less with a replica that has stalled before: its file is damaged.
func (s *Scrubber) patience(r *reader) time.Duration {
	if r.skipped > 0 {
		return min(s.cfg.Patience, time.Second)
	}
	return s.cfg.Patience
}

// stalled notes that a replica delivers nothing, and moves it on.
func (s *Scrubber) stalled(ctx context.Context, r *reader, to uint64, found *findings) error {
	f := Finding{Kind: Unreadable, Replica: r.replica, Sequence: r.next, Detail: "its server does not deliver the record: see its log for the file"}
	late, err := s.late(ctx, r.replica)
	if err != nil {
		return err
	}
	if late != "" {
		f.Kind, f.Detail = Behind, late
	}
	found.add(f)
	if r.skipped++; f.Kind == Behind || r.skipped > skipsAtMost || r.next >= to {
		r.ended = true
		return nil
	}
	r.next++
	// Damage mostly spoils what follows in the same block too: farther each time.
	r.next = min(to, r.next+1<<min(r.skipped, 20)-2)
	s.remove(ctx, map[string]jetstream.Consumer{r.replica: r.consumer})
	placed, err := s.place(ctx, []string{r.replica}, r.next)
	if err != nil || placed[r.replica] == nil {
		r.ended = true
		return ctx.Err()
	}
	r.consumer = placed[r.replica]
	return nil
}

// late says why a replica may rightly have less than the leader; empty when the
// leader holds it to be up to date.
func (s *Scrubber) late(ctx context.Context, replica string) (string, error) {
	asking, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	stream, err := s.js.Stream(asking, s.cfg.Stream)
	if err != nil {
		return "the stream's leader does not answer", ctx.Err()
	}
	info := stream.CachedInfo().Cluster
	if info == nil || info.Leader == replica {
		return "", nil
	}
	for _, p := range info.Replicas {
		switch {
		case p.Name != replica:
		case p.Offline:
			return "the server went down", nil
		case !p.Current || p.Lag > 0:
			return fmt.Sprintf("the server has not caught up (%d behind)", p.Lag), nil
		default:
			return "", nil
		}
	}
	return "the server holds no copy any more", nil
}

// lowest is the lowest sequence that any reader holds next.
func lowest(readers map[string]*reader, to uint64) (seq uint64, more bool) {
	for _, r := range readers { // order-free: a minimum
		if h := r.head(); h != nil && h.Seq <= to && (!more || h.Seq < seq) {
			seq, more = h.Seq, true
		}
	}
	return seq, more
}

// take takes the records of a sequence out of the readers.
func take(readers map[string]*reader, seq uint64) map[string]*entry {
	out := map[string]*entry{}
	for name, r := range readers { // order-free: each is taken by itself
		if h := r.head(); h != nil && h.Seq == seq {
			out[name] = h
			r.held = r.held[1:]
		}
	}
	return out
}

// standingAt names the replicas that could have delivered a sequence: those that
// were given up or passed over it say nothing of it.
func (s *Scrubber) standingAt(readers map[string]*reader, seq uint64) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(readers)) {
		r := readers[name]
		passed := r.skipped > 0 && r.head() != nil && r.head().Seq > seq
		if !passed && (!r.ended || len(r.held) > 0) || r.ended && r.skipped == 0 {
			out = append(out, name)
		}
	}
	return out
}

// judge compares what the replicas hold at one sequence and follows the chain of
// what most of them hold.
func judge(have map[string]*entry, standing []string, c *chains) (found []Finding) {
	votes := map[[32]byte]int{}
	for _, e := range have { // order-free: counting
		votes[e.sum]++
	}
	all := slices.Sorted(maps.Keys(have))
	for _, name := range standing {
		if have[name] == nil {
			all = append(all, name)
		}
	}
	best, clear := majority(votes, len(all)-len(have))
	var truth *entry
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if have[name].sum == best && truth == nil {
			truth = have[name]
		}
	}
	if !clear {
		truth = sound(have)
	}
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		e := have[name]
		switch {
		case e != nil && truth != nil && e.sum == truth.sum:
		case e == nil && truth != nil:
			found = append(found, Finding{Kind: Missing, Replica: name, Sequence: truth.Seq, Subject: truth.Subject, Detail: verdict(clear)})
		case e != nil && truth == nil && clear:
			found = append(found, Finding{Kind: Surplus, Replica: name, Sequence: e.Seq, Subject: e.Subject, Detail: "the others have no such record"})
		case e != nil:
			found = append(found, Finding{Kind: Different, Replica: name, Sequence: e.Seq, Subject: e.Subject, Detail: verdict(clear)})
		}
	}
	if c != nil && truth != nil {
		if err := c.next(truth.Record); err != nil {
			found = append(found, Finding{Kind: Chain, Sequence: truth.Seq, Subject: truth.Subject, Detail: err.Error()})
		}
	}
	return found
}

func verdict(clear bool) string {
	if clear {
		return "the other replicas agree"
	}
	return "no two replicas agree: compare with the archive before anything is removed"
}

// majority is what most replicas hold; none of them (lack is how many have no
// record) gives the zero sum. clear is false when there is no majority.
func majority(votes map[[32]byte]int, lack int) (best [32]byte, clear bool) {
	most, ties := lack, 0
	for sum, n := range votes { // order-free: a tie is no majority
		switch {
		case n > most:
			best, most, ties = sum, n, 0
		case n == most:
			ties++
		}
	}
	return best, ties == 0
}

// sound is the only record of several that is a whole Commit; nil when none or
// more than one is.
func sound(have map[string]*entry) *entry {
	var out *entry
	for _, e := range have { // order-free: only a single one counts
		if _, err := event.Open(e.Data); !chained(e.Subject) || err != nil {
			continue
		}
		if out != nil && out.sum != e.sum {
			return nil
		}
		out = e
	}
	return out
}

func contains(names []string, name string) bool { return slices.Contains(names, name) }
