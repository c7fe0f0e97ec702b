package rules

import (
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Forbid makes an option illegal for the reason of a refusal, and cites the
// refusal's rule when it has one. Without an error it changes nothing.
func Forbid(o *eventv1.Option, err error) {
	if err == nil {
		return
	}
	Told{err, "", ""}.worded().Forbid(o)
}

// Told is a refusal with what a person is told of it, for listings in which one
// refusal stands for many options.
type Told struct {
	err          error
	reason, rule string
}

// Of is what a person is told of an error; worded anew only when it is another than
// before.
func (t Told) Of(err error) Told {
	if fault.Same(t.err, err) {
		return t
	}
	return Told{err, "", ""}.worded()
}

func (t Told) worded() Told {
	t.reason, t.rule = fault.Told(t.err)
	return t
}

// Forbid makes an option illegal for it.
func (t Told) Forbid(o *eventv1.Option) {
	o.Legal, o.Reason = false, t.reason
	if t.rule != "" {
		o.Rule = t.rule
	}
}
