package main

import (
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/daemon/daemontest"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/tombstone"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice"
)

// bury writes the tombstone of a table, as `skald table delete` does, and returns the
// key that signed it.
func bury(t *testing.T, nats, table string) (verifier string) {
	t.Helper()
	keys, err := attest.OpenKeys(filepath.Join(t.TempDir(), "heads.key"), attest.DefaultName, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := journal.Connect(t.Context(), nats, journal.ConnectOptions{Name: "operator"})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	set, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	log := set.All()[0]
	var removed []uint64
	if err := log.Read(t.Context(), "skald.0."+table+".>", 1, 0, func(rec journal.Record) error {
		removed = append(removed, rec.Seq)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	d := tombstone.Draft{Removed: tombstone.Of(removed)}
	d.Table, d.Last = table, d.Removed.Last()
	ms, err := d.Messages(keys.Sign, tombstone.Guards{}, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.AppendAtomic(t.Context(), ms); err != nil {
		t.Fatal(err)
	}
	public, err := keys.Public()
	if err != nil {
		t.Fatal(err)
	}
	return public[0].Verifier
}

// A deletion that nobody known has signed is not carried out; once its key is given
// it is, at the next start, without anything that has to be rebuilt by hand.
func TestADeletionIsCarriedOutOnceItsKeyIsKnown(t *testing.T) {
	nats, dir := daemontest.NATS(t), t.TempDir()
	common := []string{"--nats", nats, "--nats-create", "--data", dir}
	list := func(client dicev1.TapeServiceClient) error {
		_, err := client.ListTapes(t.Context(), &dicev1.ListTapesRequest{Table: "t", Encounter: "e"})
		return err
	}
	client, down := up(t, append(common, "--master-key-create")...)
	if _, err := client.OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: "t", Encounter: "e", Epoch: 1, Branches: []string{"gm"}}); err != nil {
		t.Fatal(err)
	}
	key := bury(t, nats, "t")
	if _, err := client.OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{Table: "t", Encounter: "e", Epoch: 2, Branches: []string{"gm"}}); err != nil {
		t.Errorf("after a deletion that nobody known has signed: %v", err)
	}
	if err := list(client); err != nil {
		t.Errorf("after a deletion that nobody known has signed: %v", err)
	}
	down()
	for _, known := range [][]string{nil, {"--heads-known", key}, {"--heads-known", key}} {
		r := daemontest.Start(t, command, []string{dice.Name}, append(known, common...)...)
		err := list(dicev1.NewTapeServiceClient(r.DialInternal()))
		f, _ := fault.As(rpc.FromStatus(err))
		if gone := f != nil && f.Reason == projection.ReasonDeleted; gone != (known != nil) || !gone && err != nil {
			t.Errorf("with %v: %v", known, err)
		}
		r.Stop()
	}
}
