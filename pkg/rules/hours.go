package rules

// CounterHours counts the hours that have passed for a patient since it was enrolled: a
// counter of the record itself, in every system.
const CounterHours = "hours"

// PassHours counts hours that pass for a patient; rules are the ids behind it.
func (r *Resolution) PassHours(id string, hours int64, rules ...string) {
	r.Set(id, CounterHours, r.Count(id, CounterHours)+hours, "time passes", rules...)
}
