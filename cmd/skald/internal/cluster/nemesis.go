//go:build linux

package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/scrub"
)

// Fault is one thing that was done to the cluster.
type Fault struct {
	// Kind of it, and what exactly was done.
	Kind, What string
	// Began, Healed (the fault itself was taken back) and Served (everything was
	// healthy again).
	Began, Healed, Served time.Time
	// Found is what the scrub found, where files were damaged.
	Found []scrub.Finding
	// Remedied: the copy had to be removed.
	Remedied bool
}

// Nemesis breaks a cluster, one kind of fault after the other.
type Nemesis struct {
	c   *Cluster
	rng *rand.Rand
	// hold is how long a fault lasts at most; half of it at least.
	hold time.Duration
	log  func(format string, args ...any)
}

// kinds of faults. Each does its worst, waits, and takes back what Heal does not.
func (n *Nemesis) kinds() map[string]func(context.Context, *Fault) error {
	return map[string]func(context.Context, *Fault) error{
		"kill a NATS server":     func(ctx context.Context, f *Fault) error { return n.kill(ctx, f, n.server().Process) },
		"kill a service":         func(ctx context.Context, f *Fault) error { return n.kill(ctx, f, n.service().Process) },
		"stop a NATS server":     func(ctx context.Context, f *Fault) error { return n.stop(ctx, f, n.server().Process) },
		"stop a service":         func(ctx context.Context, f *Fault) error { return n.stop(ctx, f, n.service().Process) },
		"isolate a NATS server":  n.isolate,
		"isolate with clients":   n.isolateAll,
		"one-way link":           n.oneWay,
		"cut link":               n.cut,
		"slow links":             n.slow,
		"service loses NATS":     n.loses,
		"leader change":          n.lead,
		"restart in rotation":    n.rotate,
		"flip":                   n.flip,
		"truncate":               n.truncate,
		"kill the stream leader": n.killLeader,
		"membership change":      n.member,
		"full disk":              n.full,
		"clock jumps":            n.clock,
	}
}

// Kinds lists the kinds by name.
func Kinds() []string {
	var out []string
	for k := range (&Nemesis{}).kinds() { // order-free: sorted below
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Strike does one kind of fault, heals, and waits until everything serves.
func (n *Nemesis) Strike(ctx context.Context, kind string) (*Fault, error) {
	f := &Fault{Kind: kind, Began: time.Now()}
	err := n.kinds()[kind](ctx, f)
	if heal := n.c.Heal(); err == nil {
		err = heal
	}
	f.Healed = time.Now()
	if err == nil {
		err = n.recovered(ctx, f)
	}
	f.Served = time.Now()
	n.log("%s: %s; healed after %.1f s, served %.1f s later; found %v, remedied %v, %v", kind, f.What,
		f.Healed.Sub(f.Began).Seconds(), f.Served.Sub(f.Healed).Seconds(), f.Found, f.Remedied, err)
	return f, err
}

// unhealthyFor is how long an operator waits before a copy that does not come back
// is taken for damaged.
const unhealthyFor = 20 * time.Second

// recovered waits until everything serves, and does what an operator does about
// one bad copy: what the scrub names, or a server that does not become healthy.
// After damage to files the scrub looks at every copy.
func (n *Nemesis) recovered(ctx context.Context, f *Fault) error {
	waiting, cancel := context.WithTimeout(ctx, unhealthyFor)
	err := n.c.Serving(waiting)
	cancel()
	damaged := f.Kind == "flip" || f.Kind == "truncate"
	if err == nil && !damaged {
		return nil
	}
	if damaged {
		if f.Found, err = n.c.Scrub(ctx); err != nil {
			return err
		}
	}
	bad := n.bad(f)
	switch {
	case len(bad) == 0:
		return n.c.Serving(ctx)
	case len(bad) > 1:
		return fmt.Errorf("cluster: more than one copy is bad: %v, %v", bad, f.Found)
	case damaged && bad[0] != strings.Fields(f.What)[0]:
		return fmt.Errorf("cluster: %s was damaged, %s is bad: %v", f.What, bad[0], f.Found)
	}
	f.Remedied = true
	return n.remedy(ctx, n.c.byName(bad[0]))
}

// bad names the servers whose copy the scrub finds fault with, or that are not
// healthy.
func (n *Nemesis) bad(f *Fault) (out []string) {
	for _, d := range f.Found {
		if d.Kind != scrub.Absent || d.Replica != "" {
			out = append(out, d.Replica)
		}
	}
	for _, s := range n.c.Servers {
		if !s.Healthy() {
			out = append(out, s.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// remedy removes a server's copy, and waits until it has that of the others.
func (n *Nemesis) remedy(ctx context.Context, s *Server) error {
	s.Kill()
	if err := s.RemoveCopy(); err != nil {
		return err
	}
	if err := s.Start(); err != nil {
		return err
	}
	if err := n.c.Serving(ctx); err != nil {
		return err
	}
	return Until(ctx, "whole again", func(ctx context.Context) error {
		found, err := n.c.Scrub(ctx)
		if err == nil && len(found) > 0 {
			err = fmt.Errorf("%v", found)
		}
		return err
	})
}

func (c *Cluster) byName(name string) *Server {
	for _, s := range c.Servers {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Scrub reads every copy with the rights of the user scrub.
func (c *Cluster) Scrub(ctx context.Context) (found []scrub.Finding, err error) {
	nc, err := journal.Connect(ctx, c.urls(), journal.ConnectOptions{Name: "scrub", Username: "scrub", Password: password("scrub")})
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	s, err := scrub.New(scrub.Config{NC: nc, Stream: Stream, Rate: -1, Patience: 4 * time.Second, Log: quiet})
	if err != nil {
		return nil, err
	}
	err = Until(ctx, "scrub", func(ctx context.Context) error {
		rep, err := s.Pass(ctx)
		if err != nil {
			return err
		}
		if found = rep.Findings; rep.Records == 0 {
			return fmt.Errorf("nothing was read: %v", found)
		}
		return nil
	})
	return found, err
}

func (n *Nemesis) server() *Server   { return n.c.Servers[n.rng.IntN(len(n.c.Servers))] }
func (n *Nemesis) service() *Service { return n.c.Services[n.rng.IntN(len(n.c.Services))] }

// wait lets a fault last.
func (n *Nemesis) wait(ctx context.Context) error {
	t := time.NewTimer(n.hold/2 + time.Duration(n.rng.Int64N(int64(n.hold/2))))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (n *Nemesis) kill(ctx context.Context, f *Fault, p *Process) error {
	f.What = p.Name
	p.Kill()
	return n.wait(ctx)
}

func (n *Nemesis) stop(ctx context.Context, f *Fault, p *Process) error {
	f.What = p.Name
	p.Signal(sigstop)
	return n.wait(ctx)
}

// isolate holds what a server says to the others and hears of them; its clients
// still reach it.
func (n *Nemesis) isolate(ctx context.Context, f *Fault) error {
	s := n.server()
	f.What = s.Name + " from the other servers"
	n.around(s, func(k *Link) { k.Hold(Forth); k.Hold(Back) })
	return n.wait(ctx)
}

// isolateAll isolates a server and all clients' ways to it.
func (n *Nemesis) isolateAll(ctx context.Context, f *Fault) error {
	s := n.server()
	f.What = s.Name + " from everything"
	n.around(s, func(k *Link) { k.Hold(Forth); k.Hold(Back) })
	for _, svc := range n.c.Services {
		for i, to := range n.c.Servers {
			if to == s {
				svc.Links[i].Hold(Forth)
				svc.Links[i].Hold(Back)
			}
		}
	}
	return n.wait(ctx)
}

// around does something to every route of a server.
func (n *Nemesis) around(s *Server, do func(*Link)) {
	for i, a := range n.c.Servers {
		for j, b := range n.c.Servers {
			if i != j && (a == s || b == s) {
				do(n.c.Routes[i][j])
			}
		}
	}
}

// oneWay holds what one server says to another; the way back is open.
func (n *Nemesis) oneWay(ctx context.Context, f *Fault) error {
	i := n.rng.IntN(3)
	j := (i + 1 + n.rng.IntN(2)) % 3
	f.What = n.c.Routes[i][j].Name
	n.c.Routes[i][j].Hold(Forth)
	n.c.Routes[j][i].Hold(Back)
	return n.wait(ctx)
}

func (n *Nemesis) cut(ctx context.Context, f *Fault) error {
	i := n.rng.IntN(3)
	j := (i + 1) % 3
	f.What = n.c.Routes[i][j].Name
	n.c.Routes[i][j].Cut()
	n.c.Routes[j][i].Cut()
	return n.wait(ctx)
}

func (n *Nemesis) slow(ctx context.Context, f *Fault) error {
	s := n.server()
	d := time.Duration(20+n.rng.IntN(150)) * time.Millisecond
	f.What = fmt.Sprint(s.Name, " by ", d)
	n.around(s, func(k *Link) { k.Delay(d) })
	return n.wait(ctx)
}

// loses holds the links of one service to two of the servers.
func (n *Nemesis) loses(ctx context.Context, f *Fault) error {
	s, spared := n.service(), n.rng.IntN(3)
	f.What = s.Name + " but for " + n.c.Servers[spared].Name
	for i, k := range s.Links {
		if i != spared {
			k.Hold(Forth)
			k.Hold(Back)
		}
	}
	return n.wait(ctx)
}

// ask asks the JetStream API as an administrator.
func (n *Nemesis) ask(ctx context.Context, subject, body string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	m, err := n.c.admin.RequestWithContext(ctx, subject, []byte(body))
	if err != nil {
		return fmt.Errorf("cluster: %s: %w", subject, err)
	}
	var resp struct {
		Error *struct {
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &resp); err != nil {
		return err
	}
	if resp.Error != nil {
		return fmt.Errorf("cluster: %s: %s", subject, resp.Error.Description)
	}
	return nil
}

// lead changes the stream's leader in mid-command, several times.
func (n *Nemesis) lead(ctx context.Context, f *Fault) error {
	for range 3 {
		if err := n.ask(ctx, "$JS.API.STREAM.LEADER.STEPDOWN."+Stream, ""); err != nil {
			f.What += err.Error() + "; "
		}
		time.Sleep(time.Duration(300+n.rng.IntN(1000)) * time.Millisecond)
	}
	f.What += "three times"
	return nil
}

// leader is the server that leads the stream; nil when nobody says.
func (n *Nemesis) leader(ctx context.Context) *Server {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	m, err := n.c.admin.RequestWithContext(ctx, "$JS.API.STREAM.INFO."+Stream, nil)
	if err != nil {
		return nil
	}
	var resp struct {
		Cluster struct {
			Leader string `json:"leader"`
		} `json:"cluster"`
	}
	if json.Unmarshal(m.Data, &resp) != nil {
		return nil
	}
	return n.c.byName(resp.Cluster.Leader)
}

func (n *Nemesis) killLeader(ctx context.Context, f *Fault) error {
	s := n.leader(ctx)
	if s == nil {
		s = n.server()
	}
	return n.kill(ctx, f, s.Process)
}

// rotate restarts every server, each when the one before is healthy.
func (n *Nemesis) rotate(ctx context.Context, f *Fault) error {
	f.What = "nats-0, nats-1, nats-2"
	for _, s := range n.c.Servers {
		s.Terminate()
		if err := s.Start(); err != nil {
			return err
		}
		if err := n.recovered(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// files lists what a server keeps of the stream and of its raft group.
func (n *Nemesis) files(s *Server) (out []string) {
	for _, dir := range append(s.rafts(), s.stream()) {
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error { //nolint:errcheck // what is gone is not damaged
			if err != nil || d.IsDir() || strings.Contains(path, "/obs/") {
				return nil
			}
			if info, err := d.Info(); err == nil && info.Size() > 0 {
				out = append(out, path)
			}
			return nil
		})
	}
	return out
}

// damage kills a server, changes one of its files, and starts it again.
func (n *Nemesis) damage(f *Fault, change func(path string, data []byte) ([]byte, string)) error {
	s := n.server()
	s.Kill()
	files := n.files(s)
	if len(files) == 0 {
		f.What = s.Name + " has no files"
		return s.Start()
	}
	path := files[n.rng.IntN(len(files))]
	if blocks := slices.DeleteFunc(slices.Clone(files), func(p string) bool { return !strings.HasSuffix(p, ".blk") || !strings.HasPrefix(p, s.stream()) }); len(blocks) > 0 && n.rng.IntN(2) == 0 {
		path = blocks[n.rng.IntN(len(blocks))] // half the time the Commits themselves
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	data, what := change(path, data)
	rel, err := filepath.Rel(s.Store, path)
	if err != nil {
		return err
	}
	f.What = fmt.Sprint(s.Name, " ", rel, " ", what)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	return s.Start()
}

func (n *Nemesis) flip(_ context.Context, f *Fault) error {
	return n.damage(f, func(_ string, data []byte) ([]byte, string) {
		at, bit := n.rng.IntN(len(data)), n.rng.IntN(8)
		data[at] ^= 1 << bit
		return data, fmt.Sprintf("bit %d of byte %d of %d", bit, at, len(data))
	})
}

func (n *Nemesis) truncate(_ context.Context, f *Fault) error {
	return n.damage(f, func(_ string, data []byte) ([]byte, string) {
		at := n.rng.IntN(len(data))
		return data[:at], fmt.Sprintf("cut to %d of %d bytes", at, len(data))
	})
}

// member takes one replica out of the stream's group, kills a server meanwhile,
// and brings the replica back.
func (n *Nemesis) member(ctx context.Context, f *Fault) error {
	if err := n.scale(ctx, 2); err != nil {
		return err
	}
	time.Sleep(time.Duration(n.rng.IntN(1500)) * time.Millisecond)
	s := n.server()
	f.What = "two replicas, kill " + s.Name + ", three again"
	s.Kill()
	if err := n.wait(ctx); err != nil {
		return err
	}
	if err := s.Start(); err != nil {
		return err
	}
	return n.scale(ctx, 3)
}

// scale changes the number of replicas, as an administrator.
func (n *Nemesis) scale(ctx context.Context, count int) error {
	js, err := jetstream.New(n.c.admin)
	if err != nil {
		return err
	}
	return Until(ctx, fmt.Sprint(count, " replicas"), func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		stream, err := js.Stream(ctx, Stream)
		if err != nil {
			return err
		}
		cfg := stream.CachedInfo().Config
		if cfg.Replicas != count {
			cfg.Replicas = count
			if _, err := js.UpdateStream(ctx, cfg); err != nil {
				return err
			}
		}
		if stream, err = js.Stream(ctx, Stream); err != nil {
			return err
		}
		info := stream.CachedInfo()
		if have := len(info.Cluster.Replicas) + 1; have != count {
			return fmt.Errorf("there are %d", have)
		}
		for _, p := range info.Cluster.Replicas {
			if count > 2 && !p.Current {
				return fmt.Errorf("%s has not caught up", p.Name)
			}
		}
		return nil
	})
}

// clock sets the clock of a service wrong by up to two hours, back and forth.
func (n *Nemesis) clock(ctx context.Context, f *Fault) error {
	s := n.service()
	for range 3 {
		off := time.Duration(n.rng.IntN(4*3600)-2*3600) * time.Second
		f.What = fmt.Sprint(s.Name, " by ", off)
		if err := os.WriteFile(s.clock(), []byte(off.String()), 0o600); err != nil {
			return err
		}
		if err := n.wait(ctx); err != nil {
			return err
		}
	}
	return os.Remove(s.clock())
}

// full fills the disk of the one server that has a small one of its own.
func (n *Nemesis) full(ctx context.Context, f *Fault) error {
	s := n.c.Servers[2]
	ballast := filepath.Join(s.Store, "ballast")
	out, err := os.Create(ballast)
	if err != nil {
		return err
	}
	written := 0
	for chunk := 1 << 20; chunk >= 512; {
		m, err := out.Write(make([]byte, chunk))
		if written += m; err != nil {
			chunk /= 2
		}
		if written > 1<<30 {
			out.Close()        //nolint:errcheck // thrown away
			os.Remove(ballast) //nolint:errcheck // as above
			return fmt.Errorf("cluster: %s is not on a small disk", s.Store)
		}
	}
	out.Close() //nolint:errcheck // it is full
	f.What = fmt.Sprintf("%s after %d kB of ballast", s.Name, written>>10)
	if err := n.wait(ctx); err != nil {
		return err
	}
	if err := os.Remove(ballast); err != nil {
		return err
	}
	// What failed to be written stays failed in that server until it is restarted.
	time.Sleep(3 * time.Second)
	if !s.Healthy() {
		f.What += ", restarted after it was freed"
		s.Kill()
	}
	return nil
}
