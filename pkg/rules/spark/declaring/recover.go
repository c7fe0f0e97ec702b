package declaring

// UsualDC is the DC of natural recovery; the game master may give another for
// the heal skill.
const UsualDC = 15
