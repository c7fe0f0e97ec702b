package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Limits and periods of what is read again and again.
const (
	maxSource    = 1 << 20 // bytes of a key set or a list of revoked tokens
	pollFile     = 2 * time.Second
	pollURL      = 5 * time.Minute
	fetchTimeout = 5 * time.Second
	// unknownEvery bounds how often tokens with unknown keys make us look again.
	unknownEvery = 10 * time.Second
)

// source is a file or an http(s) address whose content is taken anew when it
// changes. What cannot be read or understood leaves what was there before.
type source struct {
	name string // path or address
	take func([]byte) error
	log  *slog.Logger
	poll time.Duration

	mu     sync.Mutex
	last   []byte    // content that was taken or refused
	wrong  error     // why it was refused; nil when it was taken
	looked time.Time // when it was looked at
	failed string    // what went wrong last, so that it is logged once
}

func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

func newSource(name string, log *slog.Logger, take func([]byte) error) *source {
	s := &source{name: name, take: take, log: log, poll: pollFile}
	if isURL(name) {
		s.poll = pollURL
	}
	return s
}

func (s *source) read(ctx context.Context) ([]byte, error) {
	if !isURL(s.name) {
		f, err := os.Open(s.name)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // only read
		return bounded(f)
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.name, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answers %s", resp.Status)
	}
	return bounded(resp.Body)
}

func bounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSource+1))
	if err == nil && len(data) > maxSource {
		err = fmt.Errorf("more than %d bytes", maxSource)
	}
	return data, err
}

// look reads the source and takes what has changed. Calls within wait of the last
// one do nothing, so that many at once read it once.
func (s *source) look(ctx context.Context, wait time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.looked.IsZero() && time.Since(s.looked) < wait {
		return nil
	}
	s.looked = time.Now()
	data, err := s.read(ctx)
	if err == nil {
		if s.last == nil || !bytes.Equal(s.last, data) {
			s.last, s.wrong = data, s.take(data)
		}
		err = s.wrong // what is refused is so for as long as it stays
	}
	if err != nil {
		return fmt.Errorf("auth: %s: %w", s.name, err)
	}
	return nil
}

// run looks again and again until ctx ends.
func (s *source) run(ctx context.Context) {
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.report(ctx, s.look(ctx, 0))
		}
	}
}

func (s *source) report(ctx context.Context, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	s.mu.Lock()
	news := text != s.failed
	s.failed = text
	s.mu.Unlock()
	switch {
	case news && err != nil:
		s.log.ErrorContext(ctx, "what was read before still holds", "error", err)
	case news:
		s.log.InfoContext(ctx, "can be read again", "source", s.name)
	}
}
