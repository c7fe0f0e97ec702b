package allinone_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/feed"
)

// Whoever has the feed's credentials can read the feed, and do nothing else to it or
// to anything.
func TestFeedReadersReachNothingElse(t *testing.T) {
	f := startFeed(t, t.TempDir(), feed.Options{})
	f.begin("a", "one")
	f.move("a", "one", 3)
	f.has("a", "one")
	state := func() string {
		var out []string
		for _, name := range []string{feed.StreamName, "SKALD_FEED_MARKS"} {
			s, err := f.writer().Stream(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			i := s.CachedInfo()
			out = append(out, fmt.Sprint(i.State.Msgs, i.State.FirstSeq, i.State.LastSeq, i.Config.Subjects, i.Config.MaxAge, i.Config.MaxBytes))
		}
		return strings.Join(out, "; ")
	}
	before := state()
	for _, o := range [][]nats.Option{{nats.UserInfo(feed.ReaderName, "wrong")}, {nats.UserInfo("writer", readersPassword)}, {nats.UserInfo("", "")}, {nats.Token(readersPassword)}, {}} {
		if nc, err := nats.Connect("nats://"+f.s.FeedAddr(), o...); err == nil {
			nc.Close()
			t.Errorf("connected without the credentials: %v", o)
		}
	}
	refused := make(chan error, 1000)
	nc := f.reader(nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
	denied := func(what string, do func() error) {
		t.Helper()
		if err := do(); err != nil && !errors.Is(err, nats.ErrTimeout) {
			return
		}
		if err := nc.Flush(); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-refused:
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(2 * time.Second):
			t.Errorf("%s is not refused", what)
		}
	}
	heard := make(chan *nats.Msg, 1000)
	for _, subject := range []string{">", "*", "$JS.>", "$JS.API.>", "$SYS.>", "skald.>", "skald.feed.>", "skald.feedmark.>", "skald.0.>", feed.Inbox + ".>", "_SKALD_FEED.*.*", "$JS.ACK.>", "$JS.EVENT.>", "_R_.>"} {
		denied("subscribing to "+subject, func() error { _, err := nc.ChanSubscribe(subject, heard); return err })
	}
	ask := func(subject, body string) {
		t.Helper()
		denied("asking "+subject, func() error {
			_, err := nc.RequestWithContext(bounded(t, 100*time.Millisecond), subject, []byte(body))
			if errors.Is(err, context.DeadlineExceeded) {
				return nats.ErrTimeout
			}
			if err == nil {
				t.Errorf("%s is answered", subject)
			}
			return nil
		})
	}
	for subject, body := range map[string]string{
		"$JS.API.INFO": "", "$JS.API.STREAM.NAMES": "", "$JS.API.STREAM.LIST": "",
		"$JS.API.STREAM.CREATE.MINE":                               `{"name":"MINE","subjects":["mine"]}`,
		"$JS.API.STREAM.UPDATE.SKALD_FEED":                         `{"name":"SKALD_FEED","subjects":["skald.feed.>"],"max_age":1000000000}`,
		"$JS.API.STREAM.DELETE.SKALD_FEED":                         "",
		"$JS.API.STREAM.PURGE.SKALD_FEED":                          "",
		"$JS.API.STREAM.MSG.DELETE.SKALD_FEED":                     `{"seq":1}`,
		"$JS.API.STREAM.SNAPSHOT.SKALD_FEED":                       `{"deliver_subject":"_INBOX.x"}`,
		"$JS.API.STREAM.RESTORE.OTHER":                             "{}",
		"$JS.API.STREAM.INFO.SKALD_FEED_MARKS":                     "",
		"$JS.API.STREAM.MSG.GET.SKALD_FEED_MARKS":                  `{"seq":1}`,
		"$JS.API.DIRECT.GET.SKALD_FEED_MARKS":                      `{"seq":1}`,
		"$JS.API.DIRECT.GET.SKALD_FEED_MARKS.skald.feedmark.a.one": "",
		"$JS.API.STREAM.INFO.SKALD_0":                              "",
		"$JS.API.STREAM.MSG.GET.SKALD_0":                           `{"seq":1}`,
		"$JS.API.DIRECT.GET.SKALD_0":                               `{"seq":1}`,
		"$JS.API.CONSUMER.CREATE.SKALD_FEED_MARKS.x":               `{"stream_name":"SKALD_FEED_MARKS","config":{"ack_policy":"none"}}`,
		"$JS.API.CONSUMER.CREATE.SKALD_0.x":                        `{"stream_name":"SKALD_0","config":{"ack_policy":"none"}}`,
		"$JS.API.CONSUMER.DURABLE.CREATE.SKALD_FEED_MARKS.x":       `{"stream_name":"SKALD_FEED_MARKS","config":{"durable_name":"x","ack_policy":"none"}}`,
		"$JS.API.CONSUMER.NAMES.SKALD_FEED":                        "",
		"$JS.API.CONSUMER.MSG.NEXT.SKALD_FEED_MARKS.x":             "",
		"$SYS.REQ.SERVER.PING":                                     "",
		"$SYS.REQ.USER.INFO":                                       "",
		"skald.feed.json.a.one":                                    "forged",
		"skald.feed.pb.a.two":                                      "forged",
		"skald.feedmark.a.one":                                     "{}",
		"skald.0.a.encounter.one":                                  "forged",
		feed.Inbox + ".x":                                          "forged",
		"_INBOX.x":                                                 "forged",
	} {
		ask(subject, body)
	}
	// A body that names another stream than its subject, and consumers that deliver
	// where the reader may not speak.
	for i, config := range []string{
		`{"stream_name":"SKALD_FEED_MARKS","config":{"ack_policy":"none"}}`,
		`{"stream_name":"SKALD_FEED","config":{"ack_policy":"none","filter_subject":"skald.feedmark.>"}}`,
		`{"stream_name":"SKALD_FEED","config":{"ack_policy":"none","deliver_subject":"skald.feed.json.a.one"}}`,
		`{"stream_name":"SKALD_FEED","config":{"ack_policy":"none","deliver_subject":"skald.feedmark.a.one"}}`,
		`{"stream_name":"SKALD_FEED","config":{"ack_policy":"none","headers_only":true,"deliver_subject":"$JS.API.STREAM.PURGE.SKALD_FEED"}}`,
		`{"stream_name":"SKALD_FEED","config":{"ack_policy":"none","headers_only":true,"deliver_subject":"$JS.API.STREAM.DELETE.SKALD_FEED_MARKS"}}`,
	} {
		m, err := nc.RequestWithContext(bounded(t, 5*time.Second), fmt.Sprintf("$JS.API.CONSUMER.CREATE.SKALD_FEED.x%d", i), []byte(config))
		if err != nil {
			t.Fatalf("%s: %v", config, err)
		}
		var answer struct {
			StreamName string `json:"stream_name"`
			NumPending int    `json:"num_pending"`
		}
		if err := json.Unmarshal(m.Data, &answer); err != nil {
			t.Fatal(err)
		}
		if answer.StreamName == "SKALD_FEED_MARKS" || strings.Contains(config, "filter_subject") && answer.NumPending > 0 {
			t.Errorf("%s: %s", config, m.Data)
		}
	}
	// What readers hear in each other's inboxes is what they may read anyway: nothing
	// that a writer is told comes there.
	if _, err := nc.ChanSubscribe("_INBOX.>", heard); err != nil {
		t.Fatal(err)
	}
	f.move("a", "one", 3)
	f.has("a", "one")
	for done := false; !done; {
		select {
		case m := <-heard:
			if strings.Contains(string(m.Data), `"version"`) && strings.Contains(string(m.Data), `"sequences"`) {
				t.Errorf("a mark was heard: %s", m.Data)
			}
		default:
			done = true
		}
	}
	f.t.Log(before, "then", state())
	if now, want := state(), strings.Replace(before, "", "", 1); strings.Split(now, " ")[1] != strings.Split(want, " ")[1] {
		t.Errorf("the feed is %s and was %s", now, want)
	}
	if first := f.has("a", "one"); first != 1 {
		t.Errorf("the feed begins at step %d", first)
	}
}
