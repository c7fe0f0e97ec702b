package limits

// Odds and the work of expressions, in the dice service.
const (
	// OddsCacheBytes: computed odds that are kept, bytes.
	OddsCacheBytes = 32 << 20
	// OddsOneBytes: memory of one computation of odds, bytes.
	OddsOneBytes = 64 << 20
	// OddsMemoryBytes: memory of all computations of odds at a time, bytes.
	OddsMemoryBytes = 128 << 20
	// OddsWaitSeconds: how long a computation waits for memory, seconds.
	OddsWaitSeconds = 5
	// OddsWork: work of one computation of odds, word multiplications.
	OddsWork = 1_000_000_000
	// DiceWorkPerSecond: work of one principal's expressions, word
	// multiplications a second.
	DiceWorkPerSecond = 200_000_000
	// DiceWorkSavedSeconds: how much of it can be saved up, seconds' worth.
	DiceWorkSavedSeconds = 10
)
