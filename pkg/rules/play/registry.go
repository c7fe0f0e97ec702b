package play

import (
	"fmt"
	"sync"
)

// registered are what makes the frames, by system. Systems register theirs when their
// package is initialised; nothing changes after that.
var registered sync.Map

// Register makes a frame known under its system's id, so that chapters of the system
// that stand below its actions reach them by their ids, as an attack does that sets
// off another's readied action. It is for the initialisation of a system's package;
// a second frame of one id is an error. The function is called when the frame is asked
// for, each time: it makes it once, or gives nil where the rule book does not hold.
func Register(system string, frame func() *Frame) error {
	if _, twice := registered.LoadOrStore(system, frame); twice {
		return fmt.Errorf("play: system %s registered twice", system)
	}
	return nil
}

// Registered is the frame of a system; nil before the system's package is
// initialised, and where its rule book does not hold.
func Registered(system string) *Frame {
	made, _ := registered.Load(system)
	if frame, ok := made.(func() *Frame); ok {
		return frame()
	}
	return nil
}
