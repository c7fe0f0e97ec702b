package play

import (
	"fmt"
	"sync"
)

// registered are the frames by system. Systems register theirs when their package
// is initialised; nothing changes after that.
var registered sync.Map

// Register makes a frame known under its system's id, so that chapters of the system
// that stand below its actions reach them by their ids, as an attack does that sets
// off another's readied action. It is for the initialisation of a system's package;
// a second frame of one id is an error.
func Register(f *Frame) error {
	if _, twice := registered.LoadOrStore(f.System, f); twice {
		return fmt.Errorf("play: system %s registered twice", f.System)
	}
	return nil
}

// Registered is the frame of a system; nil before the system's package is
// initialised.
func Registered(system string) *Frame {
	f, _ := registered.Load(system)
	frame, _ := f.(*Frame)
	return frame
}
