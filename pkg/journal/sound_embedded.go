package journal

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/skaldrpg/skald/pkg/ops"
)

// soundness is what an embedded server knows of its folder.
type soundness struct {
	mu       sync.Mutex
	examined Examined
	opened   bool // the server was let at the folder
}

// examine lets the server at its folder, or not: *DamageError. It is called
// before each start of a server, also within one process.
func (e *Embedded) examine(ctx context.Context) error {
	g := &inspection{dir: e.cfg.StoreDir, command: orDefault(e.cfg.Mend, "skald mend"), removed: e.cfg.Removed, log: e.log.log, now: time.Now}
	if e.cfg.Witnesses != nil {
		g.witnesses = e.cfg.Witnesses(ctx)
	}
	done, err := g.pass(ctx)
	e.sound.mu.Lock()
	defer e.sound.mu.Unlock()
	e.sound.examined, e.sound.opened = done, err == nil
	return err
}

// vouch marks the folder of a server that has stopped, unless it failed.
func (e *Embedded) vouch() {
	e.sound.mu.Lock()
	defer e.sound.mu.Unlock()
	if !e.sound.opened || e.Err() != nil {
		return
	}
	e.sound.opened = false
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := markSound(ctx, e.cfg.StoreDir); err != nil { // the next start examines more, and nothing is lost
		e.log.log.Warn("journal: the clean stop is not marked", "error", err)
	}
}

// Examined is what was found when the server was last let at its folder.
func (e *Embedded) Examined() Examined {
	e.sound.mu.Lock()
	defer e.sound.mu.Unlock()
	return e.sound.examined
}

// SoundPart says for [ops.Board] what the last examination found.
func (e *Embedded) SoundPart() ops.Part {
	x := e.Examined()
	p := ops.Part{Name: "store", Figures: []ops.Figure{
		{Name: "store_examined_seconds", Help: "Time that the examination of the journal's files took at the last start.", Value: x.Took.Seconds()},
		{Name: "store_examined_bytes", Help: "Bytes of the journal's files that it read.", Value: float64(x.Bytes)},
		{Name: "store_put_aside", Help: "Files of the journal copied or moved aside at the last start.", Value: float64(len(x.Moved))},
	}}
	if x.Aside != "" {
		p.Text = "files were put aside at the last start: " + filepath.Dir(x.Aside)
	}
	return p
}
