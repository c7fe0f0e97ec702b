package bench

import "context"

// undo is an undo, or the redo after it, of a long fight's last command until the
// watchers have it.
func undo(ctx context.Context, r *run) error {
	if err := r.play(ctx, r.Commits); err != nil {
		return err
	}
	for _, n := range r.Watchers {
		if n == 0 { // nobody to tell
			continue
		}
		if err := r.watched(ctx, r.rounds(20*crowded(n)), n, longFight, last, crowd.told); err != nil {
			return err
		}
	}
	return nil
}
