package bench

import "context"

// watchers is what watchers of a fight cost whoever plays it.
func watchers(ctx context.Context, r *run) error {
	const fight = "watched"
	if err := r.fight(ctx, fight); err != nil {
		return err
	}
	for _, n := range r.Watchers {
		if err := r.watched(ctx, r.rounds(4*crowded(n)), n, fight, hit, crowd.flood); err != nil {
			return err
		}
	}
	return nil
}
