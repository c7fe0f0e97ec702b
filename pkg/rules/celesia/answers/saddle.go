package answers

// ParamMoving has a spell cast as if on the move: with the check that this takes,
// the mount may go on as far as it can.
const ParamMoving = "moving"
