package bench

import (
	"context"
	"errors"
	"os"
)

// cold is a start of the suite whose projections are gone; its floor is a start with
// them, and copying the records of the fights into a raw file.
func cold(ctx context.Context, r *run) error {
	rounds := r.rounds(100)
	if r.Log > 0 {
		rounds = 1
		if err := r.fill(ctx, r.Log); err != nil {
			return err
		}
	} else if err := r.play(ctx, r.Commits); err != nil {
		return err
	}
	var warm, without sample
	commits := 0
	for range rounds {
		if err := errors.Join(r.stop(), r.forget()); err != nil {
			return err
		}
		if err := without.each(ctx, 1, r.start); err != nil {
			return err
		}
		if err := r.stop(); err != nil {
			return err
		}
		if err := warm.each(ctx, 1, func(ctx context.Context) error {
			if err := r.start(ctx); err != nil {
				return err
			}
			path := r.file("start")
			db, n, err := r.copied(ctx, path, "skald.0.*.encounter.>")
			if err != nil {
				return err
			}
			commits = int(n) //nolint:gosec // not so many
			if err := db.Close(); err != nil {
				return err
			}
			return os.Remove(path)
		}); err != nil {
			return err
		}
	}
	r.add(lineOf(plural(commits, "Commit"), warm.timing(), without.timing()))
	return nil
}
