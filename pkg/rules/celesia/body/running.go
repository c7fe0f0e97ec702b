package body

const (
	// CRun counts the rounds run in a row, cRunChecks the checks made in them.
	CRun       = "run-rounds"
	CRunChecks = "run-checks"
)
