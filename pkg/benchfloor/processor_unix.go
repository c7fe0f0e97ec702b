//go:build unix

package benchfloor

import (
	"syscall"
	"time"
)

// Processor is the processor's time that this process has had; 0 where the system does
// not say.
func Processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
