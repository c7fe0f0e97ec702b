package bench

import "context"

// open is the first command to a long fight after a start, which takes it into memory;
// its floor is the command after it.
func open(ctx context.Context, r *run) error {
	if err := r.play(ctx, r.Commits); err != nil {
		return err
	}
	command := func(ctx context.Context) error { return r.do(ctx, r.hall.client(0), longFight, hit) }
	var first, second sample
	for range r.rounds(50) {
		if err := r.again(ctx); err != nil {
			return err
		}
		// A fight of its own is played first, so that what is slow once in a suite is in neither.
		if err := r.fight(ctx, r.name("opened")); err != nil {
			return err
		}
		for _, s := range []*sample{&first, &second} {
			if err := s.each(ctx, 1, command); err != nil {
				return err
			}
		}
	}
	r.add(lineOf(plural(int(r.long), "command"), second.timing(), first.timing())) //nolint:gosec // not so many
	return nil
}

// again stops the suite and starts it.
func (w *world) again(ctx context.Context) error {
	if err := w.stop(); err != nil {
		return err
	}
	return w.start(ctx)
}
