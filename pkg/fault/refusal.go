package fault

// refusal is an Illegal fault whose message is made when somebody reads it: rules
// refuse far more often, in looking for what may be done, than anybody is told. It
// stays as it is, since one may be kept and read by several at once.
type refusal struct {
	reason, rule, format string
	args                 []any
}

// Refuse makes an Illegal fault with the rule id behind it. The message is made
// when it is read by way of Error or [As]; what it is made from must not change.
func Refuse(reason, rule, format string, args ...any) error {
	return &refusal{reason, rule, format, args}
}

func (r *refusal) message() string { return words(r.format, r.args...) }

func (r *refusal) fault() *Fault {
	return &Fault{Code: Illegal, Reason: r.reason, Rule: r.rule, Message: r.message()}
}

// Error is the message.
func (r *refusal) Error() string { return r.message() }

// As gives a refusal to whoever looks for a Fault.
func (r *refusal) As(target any) bool {
	f, ok := target.(**Fault)
	if ok {
		*f = r.fault()
	}
	return ok
}

// Reason is the reason of the Fault in an error, and Rule its rule id, without
// making its message; empty when there is none.
func Reason(err error) (reason, rule string) {
	if r, ok := err.(*refusal); ok {
		return r.reason, r.rule
	}
	f, ok := As(err)
	if !ok {
		return "", ""
	}
	return f.Reason, f.Rule
}

// Same tells whether two errors are one refusal: what one is told holds for the other.
func Same(a, b error) bool {
	x, ok := a.(*refusal)
	y, also := b.(*refusal)
	return ok && also && x == y
}

// Told is what a person is told of an error: the message of the Fault in it, with its
// rule id, or all that it says when there is none.
func Told(err error) (message, rule string) {
	if r, ok := err.(*refusal); ok {
		return r.message(), r.rule
	}
	if f, ok := As(err); ok {
		return f.Message, f.Rule
	}
	return err.Error(), ""
}
