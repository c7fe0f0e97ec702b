package journal

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// serverLog passes the server's log on. Its Fatalf must not end the process, as
// the stock logger's does, nor vanish, as it does without a logger. It is also the
// one place where the server says that a stream can not be written any more: it
// does so before anybody could read what was not written.
type serverLog struct {
	log    *slog.Logger
	fatal  chan error
	broken func(error)   // quick, and called by the server with locks held
	wake   chan struct{} // of one place: something broke

	mu  sync.Mutex
	err error
}

// breaking are the texts of the server's log after which it does not write again
// until it is started anew: a stream's store failed, or JetStream gave up.
var breaking = []string{"critical write error", "will be disabled", "disabling jetstream"}

func (l *serverLog) Noticef(f string, v ...any) { l.log.Debug("nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Debugf(f string, v ...any)  { l.log.Debug("nats: " + fmt.Sprintf(f, v...)) }
func (l *serverLog) Tracef(f string, v ...any)  { l.log.Debug("nats: " + fmt.Sprintf(f, v...)) }

func (l *serverLog) Warnf(f string, v ...any) {
	text := fmt.Sprintf(f, v...)
	l.listen(text)
	l.log.Warn("nats: " + text)
}

func (l *serverLog) Errorf(f string, v ...any) {
	text := fmt.Sprintf(f, v...)
	l.listen(text)
	l.log.Error("nats: " + text)
}

func (l *serverLog) listen(text string) {
	lower := strings.ToLower(text)
	for _, b := range breaking {
		if strings.Contains(lower, b) {
			l.broken(errors.New(text))
			select {
			case l.wake <- struct{}{}:
			default:
			}
			return
		}
	}
}

func (l *serverLog) Fatalf(f string, v ...any) {
	err := fmt.Errorf("%w: embedded server: %s", ErrUnwritable, fmt.Sprintf(f, v...))
	l.log.Error("nats: fatal", "error", err)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		l.fatal <- err
	}
}

// forget makes ready for another server.
func (l *serverLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = nil
	select {
	case <-l.fatal:
	default:
	}
}
