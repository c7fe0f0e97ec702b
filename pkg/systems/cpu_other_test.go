//go:build !unix

package systems_test

import "time"

// cpu is the processor time that this process has taken; not known here.
func cpu() time.Duration { return 0 }
