package play

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Field is a parameter of an action in one of the ways to take it. What is left
// empty is as the vocabulary says.
type Field struct {
	// Name as in TakeAction.parameters.
	Name string
	// Required fields must be given.
	Required bool
	// Values that are left of those allowed.
	Values []string
	// Listed are values that are left as they are shown, made once (P4), in place of
	// Values where there are many.
	Listed []*structpb.Value
	// Numbers that are left, where only some are allowed.
	Numbers []int32
	// Least and Most bound a number.
	Least, Most int32
	// Text for people.
	Text string
	// True says that only true can be said: the way is what it is by this word.
	True bool

	made *eventv1.Parameter
}

// Made is the field with what an option shows of it made once, for options that
// share it; word is what the vocabulary says of it, or nil.
func (f Field) Made(word *eventv1.Parameter) Field {
	f.made = f.parameter(word)
	return f
}

// plain tells whether a field says nothing that the vocabulary does not.
func (f Field) plain() bool {
	return !f.Required && f.Values == nil && f.Listed == nil && f.Numbers == nil && f.Least == 0 && f.Most == 0 && f.Text == "" && !f.True
}

// parameter is the field as an option shows it; word may be nil.
func (f Field) parameter(word *eventv1.Parameter) *eventv1.Parameter {
	switch {
	case f.made != nil:
		return f.made
	case word != nil && f.plain():
		return word
	}
	p := &eventv1.Parameter{Name: f.Name, Type: word.GetType(), Required: f.Required, Text: f.Text, Matter: word.GetMatter(),
		Minimum: word.GetMinimum(), Maximum: word.GetMaximum(), Values: word.GetValues()}
	if f.Text == "" {
		p.Text = word.GetText()
	}
	if f.Least != 0 || f.Most != 0 {
		p.Minimum, p.Maximum = f.Least, f.Most
	}
	switch {
	case f.True:
		p.Values = justTrue
	case f.Listed != nil:
		p.Values = f.Listed
	case f.Values != nil:
		p.Values = make([]*structpb.Value, len(f.Values))
		for i, v := range f.Values {
			p.Values[i] = wordOf(word, v)
		}
	case f.Numbers != nil:
		p.Values = make([]*structpb.Value, len(f.Numbers))
		for i, n := range f.Numbers {
			p.Values[i] = wholeNumber(n)
		}
	}
	return p
}

// wordOf is a text as a value: that of the vocabulary where it has it, so that
// options share it.
func wordOf(word *eventv1.Parameter, text string) *structpb.Value {
	for _, v := range word.GetValues() {
		if v.GetStringValue() == text {
			return v
		}
	}
	return structpb.NewStringValue(text)
}

// wholeNumber is a number as a value.
func wholeNumber(n int32) *structpb.Value {
	v, err := structpb.NewValue(n)
	if err != nil {
		return structpb.NewNullValue() // every whole number is a value
	}
	return v
}

var justTrue = []*structpb.Value{structpb.NewBoolValue(true)}

// fits refuses a value that the field does not leave.
func (f Field) fits(value *structpb.Value) error {
	at := "take.parameters." + f.Name
	switch {
	case f.True && !value.GetBoolValue():
		return fault.Field(at, "must be true to do it that way")
	case f.Values != nil:
		for _, said := range words(value) {
			if !slices.Contains(f.Values, said) {
				return fault.Field(at, "%q is not one of %v%s", said, f.Values, rules.DidYouMean(said, f.Values))
			}
		}
	case f.Listed != nil && !slices.ContainsFunc(f.Listed, func(v *structpb.Value) bool { return proto.Equal(v, value) }):
		return fault.Field(at, "not one of those allowed")
	case f.Numbers != nil && !slices.Contains(f.Numbers, int32(value.GetNumberValue())):
		return fault.Field(at, "%v is not one of %v", value.GetNumberValue(), f.Numbers)
	case f.Least != 0 || f.Most != 0:
		if n := int32(value.GetNumberValue()); n < f.Least || n > f.Most {
			return fault.Field(at, "must be %d to %d", f.Least, f.Most)
		}
	}
	return nil
}

// words are what a value that is text, or a list of texts, says.
func words(v *structpb.Value) []string {
	list, ok := v.GetKind().(*structpb.Value_ListValue)
	if !ok {
		return []string{v.GetStringValue()}
	}
	var out []string
	for _, one := range list.ListValue.GetValues() {
		out = append(out, one.GetStringValue())
	}
	return out
}

// fieldsFit refuses words that the action does not take that way, values that are
// not left, and a command without what is required.
func (at *At) fieldsFit() error {
	if at.Action.Fields == nil || at.Action.Loose {
		return nil // the vocabulary has judged all there is
	}
	said := at.Take.GetParameters().GetFields()
	if at.Action.Optional && len(said) == 0 {
		return nil
	}
	fields := at.Action.Fields(at)
	for _, f := range fields {
		value, given := said[f.Name]
		if !given && f.Required && !(f.Name == "path" && len(at.Take.Path) > 0) {
			return fault.Field("take.parameters."+f.Name, "missing")
		}
		if given {
			if err := f.fits(value); err != nil {
				return err
			}
		}
	}
	for _, name := range rules.SortedKeys(said) {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			return fault.Field("take.parameters."+name, "nothing that %s takes here%s", at.Action.ID, rules.DidYouMean(name, names(fields)))
		}
	}
	return nil
}

func names(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}
