package daemon_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/scrub"
)

const deploy = "../../deploy"

var quiet = slog.New(slog.DiscardHandler)

// shippedNATS starts one server with the shipped configuration, its cluster left
// out, and returns its URL.
func shippedNATS(t *testing.T) string {
	t.Helper()
	t.Setenv("NATS_NAME", "nats-0")
	for _, user := range []string{"ADMIN", "DICE", "INJURY", "ENCOUNTER", "ARCHIVE", "SCRUB", "FEED", "FEED_WRITER"} {
		t.Setenv("NATS_"+user+"_PASSWORD", "secret-"+strings.ToLower(user))
	}
	opts, err := server.ProcessConfigFile(filepath.Join(deploy, "kubernetes", "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if !opts.SyncAlways || int(opts.MaxPayload) != journal.MaxMessage || len(opts.Routes) != 3 {
		t.Fatalf("sync always %v, max payload %d, routes %v", opts.SyncAlways, opts.MaxPayload, opts.Routes)
	}
	opts.Cluster, opts.Routes = server.ClusterOpts{}, nil
	opts.Host, opts.Port, opts.HTTPPort, opts.StoreDir, opts.NoSigs, opts.NoLog = "127.0.0.1", -1, 0, t.TempDir(), true, true
	return startServer(t, opts).ClientURL()
}

func openAs(t *testing.T, url, user string, create bool) (*journal.Journal, jetstream.JetStream) {
	t.Helper()
	nc, err := journal.Connect(t.Context(), url, journal.ConnectOptions{Username: user, Password: "secret-" + user})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	j, err := journal.Open(t.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, Create: create, Log: quiet})
	if err != nil {
		t.Fatalf("%s: %v", user, err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return j, js
}

// With the shipped permissions each service can do its work and nothing else.
func TestShippedPermissions(t *testing.T) {
	url := shippedNATS(t)
	admin, _ := openAs(t, url, "admin", true)
	may := map[string]string{"dice": "dice", "injury": "patient", "encounter": "encounter"}
	for user, kind := range may {
		t.Run(user, func(t *testing.T) {
			j, js := openAs(t, url, user, false)
			own := "skald.0.t." + kind + ".x"
			seq, err := j.Append(t.Context(), journal.Message{Subject: own, ID: user, Data: []byte("x")})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok, err := j.Last(t.Context(), own); !ok || err != nil {
				t.Errorf("last: %v, %v", ok, err)
			}
			if user != "dice" { // and branches of what it keeps
				subject, err := journal.Branch{Table: "t", Kind: kind, ID: "x", Name: "b"}.Subject(0)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := j.Append(t.Context(), journal.Message{Subject: subject, ID: user + "-b", Data: []byte("x")}); err != nil {
					t.Errorf("a branch: %v", err)
				}
			}
			seen := errors.New("seen")
			if err := j.Tail(t.Context(), journal.TailConfig{FromSeq: seq}, func(context.Context, journal.Batch) error { return seen }); !errors.Is(err, seen) {
				t.Errorf("tail: %v", err)
			}
			foreign := "skald.0.t.dice.y"
			if user == "dice" {
				foreign = "skald.0.t.encounter.y"
			}
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := j.Append(short, journal.Message{Subject: foreign, ID: "foreign-" + user, Data: []byte("x")}); err == nil {
				t.Errorf("published on %s", foreign)
			}
			if _, ok, err := admin.Last(t.Context(), foreign); ok || err != nil {
				t.Errorf("%s holds something: %v", foreign, err)
			}
			short, cancel = context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := js.DeleteStream(short, "SKALD_0"); err == nil {
				t.Error("deleted the stream")
			}
			if err := j.Verify(t.Context()); err != nil {
				t.Errorf("the stream afterwards: %v", err)
			}
		})
	}
	t.Run("archive", func(t *testing.T) { archives(t, url, admin) })
	if err := admin.Purge(t.Context(), "skald.0.t.>"); err != nil {
		t.Errorf("an administrator deletes a table's data: %v", err)
	}
}

// With the shipped configuration the feed is written and read in an account of its own:
// its readers see neither the record nor what writers note.
func TestShippedFeed(t *testing.T) {
	url := shippedNATS(t)
	admin, _ := openAs(t, url, "admin", true)
	if _, err := admin.Append(t.Context(), journal.Message{Subject: "skald.0.t.encounter.x", ID: "one", Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	nc, err := feed.Connect(url, journal.ConnectOptions{Username: "feed-writer", Password: "secret-feed_writer"}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	w, err := feed.NewWriter(feed.WriterConfig{Conn: nc})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(t.Context(), &feed.Message{Format: feed.JSON, Table: "t", Encounter: "x", Number: 1, Data: []byte("{}")}, 0); err != nil {
		t.Fatal(err)
	}
	reader, err := nats.Connect(url, nats.UserInfo("feed", "secret-feed"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(reader.Close)
	for name, c := range map[string]*nats.Conn{"reader": reader, "writer": nc} {
		for subject, body := range map[string]string{"$JS.API.STREAM.INFO.SKALD_0": "", "$JS.API.STREAM.MSG.GET.SKALD_0": `{"seq":1}`} {
			short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			m, err := c.RequestWithContext(short, subject, []byte(body))
			cancel()
			if err == nil && !strings.Contains(string(m.Data), `"code":404`) {
				t.Errorf("the %s is told %s", name, m.Data)
			}
		}
	}
	js, err := jetstream.New(reader)
	if err != nil {
		t.Fatal(err)
	}
	c, err := js.OrderedConsumer(t.Context(), feed.StreamName, jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := c.Next(); err != nil || m.Subject() != "skald.feed.json.t.x" {
		t.Errorf("the reader has %v, %v", m, err)
	}
	short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if err := js.DeleteStream(short, feed.StreamName); err == nil {
		t.Error("the reader deleted the feed")
	}
}

// archives archives with the user that may only read, and tries to write.
func archives(t *testing.T, url string, admin *journal.Journal) {
	j, js := openAs(t, url, "archive", false)
	folder, err := archive.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	head, err := archive.New(archive.Config{Log: j, Store: folder, Logger: quiet}).CatchUp(t.Context())
	last, e := admin.LastSeq(t.Context())
	if err != nil || e != nil || head.Seq != last {
		t.Errorf("archived to %d of %d: %v, %v", head.Seq, last, err, e)
	}
	for _, kind := range []string{"dice", "patient", "encounter"} {
		short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		if _, err := j.Append(short, journal.Message{Subject: "skald.0.t." + kind + ".z", ID: "foreign-archive-" + kind, Data: []byte("x")}); err == nil {
			t.Errorf("published a %s", kind)
		}
		cancel()
	}
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := js.DeleteStream(short, "SKALD_0"); err == nil {
		t.Error("deleted the stream")
	}
	if now, err := admin.LastSeq(t.Context()); err != nil || now != last {
		t.Errorf("the stream ends at %d, before at %d: %v", now, last, err)
	}
}

// With the shipped permissions the scrub reads every copy, and can do nothing else.
func TestShippedScrub(t *testing.T) {
	url := shippedNATS(t)
	admin, _ := openAs(t, url, "admin", true)
	if _, err := admin.Append(t.Context(), journal.Message{Subject: "skald.0.t.dice.x", ID: "one", Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	nc, err := journal.Connect(t.Context(), url, journal.ConnectOptions{Username: "scrub", Password: "secret-scrub"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	s, err := scrub.New(scrub.Config{NC: nc, Stream: "SKALD_0", Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := s.Pass(t.Context()); err != nil || !rep.Whole() || rep.Records != 1 {
		t.Errorf("%+v, %v", rep, err)
	}
	if _, err := nc.Request("skald.0.t.dice.y", []byte("x"), time.Second); err == nil {
		t.Error("the scrub may publish")
	}
	if _, ok, err := admin.Last(t.Context(), "skald.0.t.dice.y"); ok || err != nil {
		t.Errorf("stored: %v, %v", ok, err)
	}
}

// Every YAML file parses, and every manifest says what it is.
func TestManifests(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(deploy, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	manifests, err := filepath.Glob(filepath.Join(deploy, "kubernetes", "*.yaml"))
	if err != nil || len(files) == 0 || len(manifests) < 5 {
		t.Fatalf("files %v, %v, %v", files, manifests, err)
	}
	kinds := map[string]int{}
	for _, path := range append(files, manifests...) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		decoder := yaml.NewDecoder(f)
		for {
			var doc map[string]any
			err := decoder.Decode(&doc)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", path, err)
				break
			}
			kind, _ := doc["kind"].(string)
			if filepath.Base(filepath.Dir(path)) == "kubernetes" && (kind == "" || doc["apiVersion"] == nil) {
				t.Errorf("%s: a document without kind or apiVersion", path)
			}
			kinds[kind]++
		}
		f.Close()
	}
	for kind, want := range map[string]int{"Kustomization": 1, "StatefulSet": 5, "PodDisruptionBudget": 4, "NetworkPolicy": 7, "Job": 1, "Deployment": 1, "Service": 5} {
		if kinds[kind] != want {
			t.Errorf("%d of kind %s, want %d", kinds[kind], kind, want)
		}
	}
}

// What kustomize and compose name exists.
func TestNamedFilesExist(t *testing.T) {
	var k struct {
		Resources          []string
		ConfigMapGenerator []struct{ Files []string } `yaml:"configMapGenerator"`
	}
	raw, err := os.ReadFile(filepath.Join(deploy, "kubernetes", "kustomization.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, &k); err != nil {
		t.Fatal(err)
	}
	names := k.Resources
	for _, g := range k.ConfigMapGenerator {
		names = append(names, g.Files...)
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(deploy, "kubernetes", name)); err != nil {
			t.Error(err)
		}
	}
	var c struct {
		Services map[string]struct {
			Build struct {
				Args map[string]string
			}
		}
	}
	if raw, err = os.ReadFile(filepath.Join(deploy, "compose.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"nats-0", "nats-1", "nats-2", "stream", "dice", "injury", "encounter", "archive", "scrub"} {
		s, ok := c.Services[name]
		if !ok {
			t.Errorf("compose has no %s", name)
		}
		if p := s.Build.Args["PROGRAM"]; p != "" {
			if _, err := os.Stat(filepath.Join(deploy, "..", p, "main.go")); err != nil {
				t.Error(err)
			}
		}
	}
}

// What the services do for each other is on ports of its own, which only they
// reach, and every service has keys.
func TestInternalPorts(t *testing.T) {
	var c struct {
		Services map[string]struct {
			Environment map[string]string
			Ports       []string
		}
	}
	read := func(into any, path ...string) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(append([]string{deploy}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(raw, into); err != nil {
			t.Fatal(err)
		}
	}
	read(&c, "compose.yaml")
	var k struct {
		ConfigMapGenerator []struct {
			Name     string
			Literals []string
		} `yaml:"configMapGenerator"`
	}
	read(&k, "kubernetes", "kustomization.yaml")
	shared := map[string]string{}
	for _, g := range k.ConfigMapGenerator {
		for _, l := range g.Literals {
			name, value, _ := strings.Cut(l, "=")
			shared[name] = value
		}
	}
	internal := map[string]string{"dice": "7711", "injury": "7713"}
	for name, port := range internal {
		env := c.Services[name].Environment
		if env["SKALD_INTERNAL_LISTEN"] != "0.0.0.0:"+port || strings.Contains(strings.Join(c.Services[name].Ports, " "), port) {
			t.Errorf("compose: %s listens on %q for the services, and gives away the ports %v", name, env["SKALD_INTERNAL_LISTEN"], c.Services[name].Ports)
		}
		want := name + ":" + port
		flag := "SKALD_" + strings.ToUpper(name)
		if got := c.Services["encounter"].Environment[flag]; got != want || shared[flag] != want {
			t.Errorf("%s is looked for at %q and %q, want %s", name, got, shared[flag], want)
		}
	}
	for _, name := range []string{"dice", "injury", "encounter"} {
		env := c.Services[name].Environment
		for _, flag := range []string{"SKALD_SERVICE_KEY", "SKALD_AUTH_JWKS"} {
			if env[flag] == "" || shared[flag] == "" {
				t.Errorf("%s: %s is %q in compose, %q in Kubernetes", name, flag, env[flag], shared[flag])
			}
		}
	}
	for _, name := range []string{"dice", "injury"} { // else no deletion of a table is carried out there
		if flag := "SKALD_HEADS_KNOWN_FILE"; c.Services[name].Environment[flag] == "" || shared[flag] == "" {
			t.Errorf("%s: %s is %q in compose, %q in Kubernetes", name, flag, c.Services[name].Environment[flag], shared[flag])
		}
	}
	for _, rule := range ingress(t) {
		for name, port := range internal {
			if strings.Contains(rule.ports, port) && (strings.Contains(rule.from, "skald-client") || !strings.Contains(rule.from, "app: encounter") || strings.Contains(rule.ports, "7701") || strings.Contains(rule.ports, "7703")) {
				t.Errorf("the internal port of %s is open to %s", name, rule.from)
			}
		}
	}
}

// ingress are the rules of the network policies as text.
func ingress(t *testing.T) (out []struct{ from, ports string }) {
	t.Helper()
	f, err := os.Open(filepath.Join(deploy, "kubernetes", "network.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decoder, found := yaml.NewDecoder(f), 0
	for {
		var doc struct {
			Spec struct {
				Ingress []struct{ From, Ports yaml.Node }
			}
		}
		err := decoder.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range doc.Spec.Ingress {
			from, err := yaml.Marshal(&rule.From)
			if err != nil {
				t.Fatal(err)
			}
			ports, err := yaml.Marshal(&rule.Ports)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(ports), "7711") || strings.Contains(string(ports), "7713") {
				found++
			}
			out = append(out, struct{ from, ports string }{string(from), string(ports)})
		}
	}
	if found != 2 {
		t.Errorf("%d rules name an internal port, want 2", found)
	}
	return out
}
