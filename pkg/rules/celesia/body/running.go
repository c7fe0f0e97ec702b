package body

const (
	// CRun counts the rounds run in a row.
	CRun = "run-rounds"
	// CRunChecks counts the endurance checks made in those rounds; each raises the DC
	// of the next by 1.
	CRunChecks = "run-checks"
)
