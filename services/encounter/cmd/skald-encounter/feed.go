package main

import (
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/feed"
	"github.com/skaldrpg/skald/pkg/journal"
)

// feedOptions say where the service publishes the steps of spectators.
type feedOptions struct {
	url      string
	nats     journal.ConnectOptions
	replicas int
	feed.Options
}

func (o *feedOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.url, "feed", "", "URL of the NATS server that takes the feed of spectators' steps, or several after commas; empty publishes none")
	f.StringVar(&o.nats.CredsFile, "feed-creds", "", "credentials file for it")
	f.StringVar(&o.nats.Username, "feed-user", "", "user name for it, in an account that has nothing but the feed")
	f.StringVar(&o.nats.Password, "feed-password", "", "password for it; better given by the environment: other users can see flags")
	f.StringVar(&o.nats.CAFile, "feed-ca", "", "PEM file of the authorities that sign it")
	f.StringVar(&o.nats.CertFile, "feed-cert", "", "PEM file of the client certificate for it")
	f.StringVar(&o.nats.KeyFile, "feed-key", "", "PEM file of the client key for it")
	f.IntVar(&o.replicas, "feed-replicas", 1, "replicas that its streams have")
	o.Flags(f)
}

// open connects; a server that does not answer is waited for beside.
func (o *feedOptions) open(log *slog.Logger) (w *feed.Writer, closing func(), err error) {
	if o.url == "" {
		return nil, func() {}, nil
	}
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	nc, err := feed.Connect(o.url, o.nats, log)
	if err != nil {
		return nil, nil, err
	}
	w, err = feed.NewWriter(feed.WriterConfig{Conn: nc, Replicas: o.replicas, Age: o.Age, Bytes: o.MiB << 20})
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return w, nc.Close, nil
}
