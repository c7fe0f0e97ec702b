package oracle

// Harm takes damage that is already lowered by resistances: temporary hit
// points, hit points, life, and then wounds.
func (c *Creature) Harm(amount int, critical bool, party int, roll Roll) {
	if c.Life == Dead {
		return
	}
	limit := c.Max // in force when the damage lands
	before := c.HP
	soaked := min(c.Temp, amount)
	c.Temp -= soaked
	rest := amount - soaked
	over := max(0, rest-c.HP)
	c.HP = max(0, c.HP-rest)
	wounds := 0
	if critical {
		wounds = 1
	}
	if before > 0 && c.HP == 0 {
		wounds = 2
	}
	if party >= 3 && 2*amount > limit {
		wounds = 3
	}
	switch {
	case !c.Character:
		if c.HP == 0 {
			c.Life = Dead
		}
		return
	case c.HP == 0 && rest > 0 && over >= limit:
		c.Life = Dead
	case before > 0 && c.HP == 0:
		c.fall()
	case before == 0 && rest > 0:
		failures := 1
		if critical {
			failures = 2
		}
		c.Life = Dying
		c.fail(failures)
	}
	c.wound(wounds, roll)
}

// fall is going down to 0 hit points: unconscious and prone.
func (c *Creature) fall() {
	c.Life = Dying
	c.Successes, c.Failures = 0, 0
	c.Conditions["prone"] = ""
	delete(c.Conditions, "crouching")
}

// fail marks failed death saves, each with a level of exhaustion.
func (c *Creature) fail(n int) {
	c.Failures += n
	c.Exhaustion += n
	if c.Failures >= 3 || c.Exhaustion > 10 {
		c.Life = Dead
	}
}

// DeathSave is made at the start of a turn at 0 hit points by who is not stable.
func (c *Creature) DeathSave(roll Roll) {
	s := NewScale()
	if c.Suffers(1) {
		s.Against["shock"] = true
	}
	face := s.D20(roll)
	switch {
	case face == 20:
		c.HP, c.Life, c.Successes, c.Failures = 1, Alive, 0, 0
	case face == 1:
		c.fail(2)
	case face-c.Exhaustion < 10:
		c.fail(1)
	default:
		c.Successes++
		if c.Successes == 3 {
			c.Life, c.Successes, c.Failures = Stable, 0, 0
		}
	}
}

// StartTurn bleeds and makes the death save.
func (c *Creature) StartTurn(party int, roll Roll) {
	down := c.Life == Dying
	if c.Life == Dead {
		return
	}
	if c.Suffers(3) || c.Suffers(5) {
		amount := 0
		for range setback(c.Level, c.Suffers(5)) {
			amount += roll(10)
		}
		c.Harm(amount, false, party, roll)
	}
	if down && c.Life == Dying {
		c.DeathSave(roll)
	}
}

// setback is how many d10 a setback is (rcr.injury.setback-table).
func setback(level int, major bool) int {
	minor, worse := 10, 18
	switch {
	case level <= 4:
		minor, worse = 1, 2
	case level <= 10:
		minor, worse = 2, 4
	case level <= 16:
		minor, worse = 4, 10
	}
	if major {
		return worse
	}
	return minor
}
