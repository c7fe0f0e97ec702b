package bench

import (
	"context"
	"math/rand/v2"
	"strconv"
)

// growth is a command in a fight that grows: the numbers of its commands so far are
// powers of ten.
func growth(ctx context.Context, r *run) error {
	const fight = "grown"
	if err := r.fight(ctx, fight); err != nil {
		return err
	}
	has := commandsOfFight
	for size := 10; size <= r.Commits; size *= 10 {
		if size > has {
			if err := r.attackAtOnce(ctx, fight, size-has); err != nil {
				return err
			}
			has = size
		}
		if err := r.settle(ctx); err != nil {
			return err
		}
		n, err := r.attacked(ctx, plural(size, "command"), func() string { return fight })
		if err != nil {
			return err
		}
		has += n
	}
	return nil
}

// fights is a command in one of so many fights, drawn at random.
func fights(ctx context.Context, r *run) error {
	open := 0
	id := func(i int) string { return "open-" + strconv.Itoa(i) }
	for _, size := range r.Fights {
		first := open
		if size > open {
			var next counter
			if err := (&sample{}).among(ctx, atOnce, size-open, func(int) operation {
				return func(ctx context.Context) error { return r.fight(ctx, id(first+next.take())) }
			}); err != nil {
				return err
			}
			open = size
		}
		if err := r.settle(ctx); err != nil {
			return err
		}
		if _, err := r.attacked(ctx, plural(size, "fight"), func() string { return id(rand.IntN(size)) }); err != nil { //nolint:gosec // which is no secret
			return err
		}
	}
	return nil
}

// attacked measures attacks of one client on the fight that is picked for each, and
// returns how many there were.
func (r *run) attacked(ctx context.Context, name string, pick func() string) (rounds int, err error) {
	echo, err := r.echo(ctx, pick())
	if err != nil {
		return 0, err
	}
	below, err := floor(echo)
	if err != nil {
		return 0, err
	}
	defer func() { err = closing(err, below) }()
	client := r.hall.client(0)
	attack := func(ctx context.Context) error {
		rounds++
		return r.do(ctx, client, pick(), hit)
	}
	f, s, err := beside(ctx, r.rounds(1), alone(r.command(below.client(0), "", hit)), alone(attack))
	if err == nil {
		r.add(lineOf(name, f, s))
	}
	return rounds, err
}
