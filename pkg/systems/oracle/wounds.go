package oracle

// Row of the table of lasting wounds: wounds beyond those that the Constitution
// bears; with no wounds there is none (rcr.injury.con-allowance,
// rcr.injury.con-negative).
func (c *Creature) Row() int {
	if c.Wounds == 0 {
		return 0
	}
	return min(6, max(0, c.Wounds-c.Modifier("constitution")))
}

// Suffers tells whether the lasting penalty of a row is in force: the row is
// reached, and was not skipped by a negative Constitution modifier.
func (c *Creature) Suffers(row int) bool {
	return c.Row() >= row && row >= 1-c.Modifier("constitution")
}

// wound gives wounds, and of each row newly reached what happens once.
func (c *Creature) wound(n int, roll Roll) {
	if n == 0 {
		return
	}
	con := c.Modifier("constitution")
	for range n {
		if c.Wounds >= max(1, con+6) {
			break // wounds beyond the last row are not counted
		}
		c.Wounds++
		switch c.Row() {
		case 4:
			scar := max(0, roll(c.HitDie)-con)
			c.Max = max(0, c.Max-scar)
			c.HP = min(c.HP, c.Max)
			if c.Max == 0 {
				c.Life = Dead
			}
		case 5:
			roll(4) // what is lost: recorded, and weighs on nothing
		case 6:
			c.Life = Dead
		}
	}
}
