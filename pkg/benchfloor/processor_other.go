//go:build !unix

package benchfloor

import "time"

// Processor is the processor's time that this process has had; 0 where the system does
// not say.
func Processor() time.Duration { return 0 }
