package projection_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/memjournal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// storing puts each record under its sequence: the least a fold can do.
type storing struct{}

func (storing) Buckets() []projection.Bucket { return []projection.Bucket{"records"} }

func (storing) Apply(tx *projection.Tx, rec journal.Record) error {
	return tx.Put("records", projection.Key(rec.Seq), rec.Data)
}

// BenchmarkProject compares a projection that catches up with bare bbolt puts of
// the same keys and values in transactions of the same size, synced alike.
func BenchmarkProject(b *testing.B) {
	const size, records = 700, 10_240
	log := memjournal.New(memjournal.Options{})
	for i := range records {
		log.Foreign(fmt.Sprint("skald.0.main.encounter.e", i%100), make([]byte, size))
	}
	rate := func(b *testing.B) { b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s") }
	for _, batch := range []int{16, 128, 512} {
		b.Run(fmt.Sprintf("bbolt/%d", batch), func(b *testing.B) {
			for b.Loop() {
				if err := puts(filepath.Join(b.TempDir(), "raw.db"), records, batch, make([]byte, size)); err != nil {
					b.Fatal(err)
				}
			}
			rate(b)
		})
		b.Run(fmt.Sprintf("projection/%d", batch), func(b *testing.B) {
			for b.Loop() {
				p, err := projection.Open(context.Background(), projection.Config{Path: filepath.Join(b.TempDir(), "p.db"),
					Schema: "1", Log: log, Fold: storing{}, MaxBatch: batch})
				if err != nil {
					b.Fatal(err)
				}
				ctx, cancel := context.WithCancel(context.Background())
				ran := make(chan error, 1)
				go func() { ran <- p.Run(ctx) }()
				err = p.WaitFor(ctx, records)
				cancel()
				<-ran
				if err != nil || p.Close() != nil {
					b.Fatal(err)
				}
			}
			rate(b)
		})
		b.Run(fmt.Sprintf("rebuild/%d", batch), func(b *testing.B) {
			for b.Loop() {
				cfg := projection.Config{Path: filepath.Join(b.TempDir(), "p.db"), Schema: "1", Log: log, Fold: storing{}, MaxBatch: batch}
				if err := projection.Rebuild(context.Background(), cfg, nil); err != nil {
					b.Fatal(err)
				}
			}
			rate(b)
		})
	}
}

func puts(path string, records, batch int, value []byte) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType, NoFreelistSync: true, InitialMmapSize: 1 << 30})
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // benchmark
	for from := 0; from < records; from += batch {
		if err := db.Update(func(tx *bolt.Tx) error {
			bk, err := tx.CreateBucketIfNotExists([]byte("records"))
			if err != nil {
				return err
			}
			bk.FillPercent = 0.9
			for i := from; i < min(from+batch, records); i++ {
				if err := bk.Put(projection.Key(uint64(i)), value); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
