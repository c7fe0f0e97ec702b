package bench

import "context"

// crews are how many clients attack at once.
var crews = []int{1, 8, 64}

// attack is a command with three rolls and one deed on one fight.
func attack(ctx context.Context, r *run) error {
	if err := r.fight(ctx, "attack"); err != nil {
		return err
	}
	for _, clients := range crews {
		if err := r.attacks(ctx, clients); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) attacks(ctx context.Context, clients int) (err error) {
	echo, err := r.echo(ctx, "attack")
	if err != nil {
		return err
	}
	below, err := floor(echo)
	if err != nil {
		return err
	}
	defer func() { err = closing(err, below) }()
	crew := func(h *hall) side {
		return func(ctx context.Context, s *sample, n int) error {
			return s.among(ctx, clients, n, func(i int) operation { return r.command(h.client(i), "attack", hit) })
		}
	}
	// Many clients need more rounds, so that all are at work most of the time.
	f, s, err := beside(ctx, r.rounds(1)+8*(clients-1), crew(below), crew(r.hall))
	if err == nil {
		r.add(lineOf(plural(clients, "client"), f, s))
	}
	return err
}
