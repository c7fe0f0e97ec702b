package bench

import "context"

// deliver is how long it takes from a command's call until a watcher has it, everybody
// having the one before.
func deliver(ctx context.Context, r *run) error {
	const fight = "delivered"
	if err := r.fight(ctx, fight); err != nil {
		return err
	}
	for _, n := range r.Watchers {
		if n == 0 { // nobody to tell
			continue
		}
		if err := r.watched(ctx, r.rounds(4*crowded(n)), n, fight, hit, crowd.told); err != nil {
			return err
		}
	}
	return nil
}

// crowded is how many times as long a round takes with so many watchers as with a
// thousand, at most.
func crowded(watchers int) int { return max(1, watchers/1000) }
