package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func main() { // feed nats://feed:PASSWORD@127.0.0.1:7722
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := Follow(ctx, os.Args[len(os.Args)-1], os.Stdout); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Follow prints a line for each step until the context ends or a chain breaks.
func Follow(ctx context.Context, url string, out io.Writer) error {
	nc, err := nats.Connect(url, nats.MaxReconnects(-1))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	c, err := js.OrderedConsumer(ctx, "SKALD_FEED", jetstream.OrderedConsumerConfig{FilterSubjects: []string{"skald.feed.json.>"}})
	if err != nil {
		return err
	}
	type place struct {
		number     uint64
		transcript []byte
	}
	at := map[string]place{} // by table/encounter; keep it to go on later
	for {
		m, err := c.Next(jetstream.FetchContext(ctx))
		if err != nil {
			return err
		}
		id := strings.ReplaceAll(strings.TrimPrefix(m.Subject(), "skald.feed.json."), ".", "/")
		number, _ := strconv.ParseUint(m.Headers().Get("Skald-Number"), 10, 64)
		transcript, _ := base64.StdEncoding.DecodeString(m.Headers().Get("Skald-Transcript"))
		var step struct {
			Bytes  []byte                       `json:"bytes"`
			Events []map[string]json.RawMessage `json:"events"`
			Ruling json.RawMessage              `json:"ruling"`
		}
		if len(m.Data()) > 0 { // empty where the step is too long for a message
			if err := json.Unmarshal(m.Data(), &step); err != nil {
				return fmt.Errorf("%s step %d: %w", id, number, err)
			}
		}
		was, known := at[id]
		if known && number <= was.number { // filled in again from the beginning
			known = false
		}
		if !known && number == 1 {
			was, known = place{0, sum("skald/transcript/begin/v1\n", []byte(id+"\n"))}, true
		}
		digest := sum("skald/step/v1\n", step.Bytes)
		if len(m.Data()) == 0 {
			digest, _ = base64.StdEncoding.DecodeString(m.Headers().Get("Skald-Digest"))
		}
		next := sum("skald/transcript/v1\n", was.transcript, binary.BigEndian.AppendUint64(nil, number), digest)
		if known && (number != was.number+1 || string(next) != string(transcript)) {
			return fmt.Errorf("%s: step %d does not follow step %d", id, number, was.number)
		}
		at[id] = place{number, transcript}
		fmt.Fprintf(out, "%s %d events %d ruling %t chain %t\n", id, number, len(step.Events), step.Ruling != nil, known)
	}
}

func sum(domain string, parts ...[]byte) []byte {
	h := sha256.New()
	h.Write([]byte(domain))
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}
