package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/scrub"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// scrubConfig is what `skald scrub` was asked for.
type scrubConfig struct {
	url         string
	nats        journal.ConnectOptions
	streams     []string
	once        bool
	every, full time.Duration
	rate        int
	metrics     string
	logLevel    string
	logJSON     bool
}

func (a *app) scrubCommand() *cobra.Command {
	var s scrubConfig
	c := &cobra.Command{
		Use:   "scrub",
		Short: "Compare every replica of the log, record by record",
		Long: `Scrub reads the copy of the log that each NATS server holds, through consumers
that live on that server, and compares them: sequence, subject, id and SHA-256 of
every record, and the hash chain of every encounter and patient. It names the
server, the sequence and the subject of what differs. It changes nothing: see
docs/CLUSTER.md for the remedy.

With --once it makes one whole pass and ends: exit code 1 means damage, 6 that a
server is down or late, so that not every copy was read. Else it runs until it is
interrupted: it reads what is new every --every, and everything every --full.`,
		Example: `  skald scrub --nats nats://nats-0:4222,nats://nats-1:4222 --once
  skald scrub --nats nats://nats:4222 --nats-user scrub --every 1h --metrics 0.0.0.0:9700`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.scrub(cmd.Context(), s) },
	}
	f := c.Flags()
	f.StringVar(&s.url, "nats", "nats://127.0.0.1:4222", "URL of the NATS servers, several after commas")
	f.StringVar(&s.nats.CredsFile, "nats-creds", "", "credentials file for them")
	f.StringVar(&s.nats.Username, "nats-user", "", "user name for them")
	f.StringVar(&s.nats.Password, "nats-password", "", "password for them; better given by the environment: other users can see flags")
	f.StringVar(&s.nats.CAFile, "nats-ca", "", "PEM file of the authorities that sign them")
	f.StringVar(&s.nats.CertFile, "nats-cert", "", "PEM file of the client certificate for them")
	f.StringVar(&s.nats.KeyFile, "nats-key", "", "PEM file of the client key for them")
	f.StringSliceVar(&s.streams, "stream", nil, "streams to read, after commas; none means all of the journal, those included that are made later")
	f.BoolVar(&s.once, "once", false, "make one whole pass and end")
	f.DurationVar(&s.every, "every", time.Hour, "time between passes over what is new")
	f.DurationVar(&s.full, "full", 24*time.Hour, "time between passes over everything")
	f.IntVar(&s.rate, "rate", limits.ScrubRecordsPerSecond, "records read a second, of all replicas together; 0 is no limit")
	f.StringVar(&s.metrics, "metrics", "", "address of GET /metrics; empty serves none")
	f.StringVar(&s.logLevel, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&s.logJSON, "log-json", false, "log JSON lines")
	return c
}

func (a *app) scrub(ctx context.Context, cfg scrubConfig) error {
	if cfg.every <= 0 || cfg.full <= 0 || cfg.rate < 0 {
		return usage("--every and --full want a time, --rate a number not below 0")
	}
	log, err := a.logger(cfg.logLevel, cfg.logJSON)
	if err != nil {
		return err
	}
	cfg.nats.Name = "skald-scrub"
	nc, err := journal.Connect(ctx, cfg.url, cfg.nats)
	if err != nil {
		return unavailable(err)
	}
	defer nc.Close()
	if cfg.rate == 0 {
		cfg.rate = -1 // no limit
	}
	all := &scrubbers{make: func(name string) (*scrub.Scrubber, error) {
		return scrub.New(scrub.Config{NC: nc, Stream: name, Rate: cfg.rate, Log: log})
	}}
	for _, name := range cfg.streams {
		if _, err := all.add(name); err != nil {
			return &usageError{err}
		}
	}
	var journalStreams *journal.Set
	if len(cfg.streams) == 0 {
		if journalStreams, err = journal.OpenSet(ctx, nc, journal.SetConfig{Log: log}); err != nil {
			return unavailable(err)
		}
		if _, err := all.grow(journalStreams); err != nil {
			return unavailable(err)
		}
	}
	if cfg.once {
		return a.scrubOnce(ctx, all.list())
	}
	return a.scrubOn(ctx, cfg, all, journalStreams)
}

// scrubbers are the streams that are read.
type scrubbers struct {
	make func(stream string) (*scrub.Scrubber, error)

	mu    sync.Mutex
	all   []*scrub.Scrubber
	names []string
}

func (s *scrubbers) add(name string) (*scrub.Scrubber, error) {
	one, err := s.make(name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all, s.names = append(s.all, one), append(s.names, name)
	return one, nil
}

func (s *scrubbers) list() []*scrub.Scrubber {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// grow adds the streams of the journal that are not read yet.
func (s *scrubbers) grow(streams *journal.Set) (added []*scrub.Scrubber, err error) {
	for p := len(s.list()); p < streams.Streams(); p++ {
		one, err := s.add(journal.StreamName(p))
		if err != nil {
			return added, err
		}
		added = append(added, one)
	}
	return added, nil
}

// scrubOnce makes one pass over each stream.
func (a *app) scrubOnce(ctx context.Context, all []*scrub.Scrubber) error {
	damaged, partial := uint64(0), 0
	for _, s := range all {
		rep, err := s.Pass(ctx)
		if err != nil {
			return unavailable(err)
		}
		damaged += rep.Damaged()
		if !rep.Whole() {
			partial++
		}
		if err := a.answerValue(rep, func() string { return reportText(rep) }); err != nil {
			return err
		}
	}
	switch {
	case damaged > 0:
		return &failedError{fmt.Sprintf("%d findings: a copy of the log is damaged", damaged)}
	case partial > 0:
		return unavailable(errors.New("not every replica could be read to its end"))
	}
	return nil
}

// reportText is a report for people.
func reportText(r *scrub.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d records from %d to %d compared on %s in %.1f s\n", r.Stream, r.Records, r.From, r.To,
		strings.Join(r.Replicas, ", "), r.Took.Seconds())
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "  and %d more\n", r.More)
	}
	return b.String()
}

// growEvery is how often a running scrub looks for new streams.
const growEvery = time.Minute

// scrubOn makes passes until the context ends; streams is nil when they were named.
func (a *app) scrubOn(ctx context.Context, cfg scrubConfig, all *scrubbers, streams *journal.Set) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil)
	run := func(fn func() error) {
		wg.Go(func() { // ends with ctx
			if err := fn(); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	if cfg.metrics != "" {
		l, err := net.Listen("tcp", cfg.metrics)
		if err != nil {
			return usage("--metrics: %v", err)
		}
		registry := prometheus.NewRegistry()
		registry.MustRegister(scrubMetrics{all})
		run(func() error { return rpc.ServeMetrics(ctx, l, registry) })
	}
	begin := func(list []*scrub.Scrubber) {
		for _, s := range list {
			run(func() error { return s.Run(ctx, cfg.every, cfg.full, nil) })
		}
	}
	begin(all.list())
	tick := time.NewTicker(growEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		case <-tick.C:
			if streams == nil || streams.Refresh(ctx) != nil {
				continue // asked again soon
			}
			added, err := all.grow(streams)
			if err != nil {
				return err
			}
			begin(added)
		}
	}
}

// scrubMetrics shows the figures of every stream's scrubber.
type scrubMetrics struct{ all *scrubbers }

// Describe sends nothing: what figures there are is known when they are read.
func (scrubMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect sends the figures, and how each stream stands.
func (m scrubMetrics) Collect(out chan<- prometheus.Metric) {
	m.all.mu.Lock()
	defer m.all.mu.Unlock()
	for i, s := range m.all.all {
		p := s.Part()
		state := ops.Figure{Name: "scrub_state", Help: "0 fine, 1 degraded, 2 failed.", Value: float64(p.State)}
		for _, f := range slices.Concat(p.Figures, []ops.Figure{state}) {
			desc := prometheus.NewDesc("skald_"+f.Name, f.Help, []string{"stream"}, nil)
			out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, f.Value, m.all.names[i])
		}
	}
}

// unavailable is a failure to reach the log.
func unavailable(err error) error {
	return fault.Wrap(fault.Unavailable, "LOG_UNAVAILABLE", err, "%v", err)
}
