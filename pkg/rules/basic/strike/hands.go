package strike

import (
	"maps"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Lies is the value of a thing that is 1 when it lies at its values x, y and z.
const Lies = "lies"

// Fallen are the values of a thing that falls to the ground: where somebody stands, if
// that one is on the map.
func Fallen(values map[string]int32, at *eventv1.Position) map[string]int32 {
	out := Lifted(values)
	if at != nil {
		out[Lies], out["x"], out["y"], out["z"] = 1, at.X, at.Y, at.Z
	}
	return out
}

// Lifted are the values of a thing that lies nowhere.
func Lifted(values map[string]int32) map[string]int32 {
	out := map[string]int32{}
	maps.Copy(out, values)
	for _, key := range []string{Lies, "x", "y", "z"} {
		delete(out, key)
	}
	return out
}
