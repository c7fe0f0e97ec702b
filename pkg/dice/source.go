package dice

// Source supplies faces. Face returns a face from 1 to sides; a fate die is
// asked for as 3 sides, whose faces 1, 2, 3 mean -1, 0, +1. Eval checks what it
// gets and hands every error of the source back wrapped.
type Source interface {
	Face(sides int) (int, error)
}

// FaceList is a Source of faces supplied beforehand, in rolling order: real
// dice read off a table, a recorded roll, a test. It is not safe for
// concurrent use.
type FaceList struct {
	faces []int
	used  int
}

// List returns a source of the faces given, in that order.
func List(faces ...int) *FaceList {
	return &FaceList{faces: faces}
}

// Face returns the next face. It fails with [ErrFacesExhausted] when none is
// left and with [*ErrFaceRange] when the next face is not on a die of so many
// sides; the face then stays unused.
func (l *FaceList) Face(sides int) (int, error) {
	if l.used >= len(l.faces) {
		return 0, ErrFacesExhausted
	}
	f := l.faces[l.used]
	if f < 1 || f > sides {
		return 0, &ErrFaceRange{Index: l.used, Sides: sides, Face: f}
	}
	l.used++
	return f, nil
}

// Used returns how many faces have been drawn.
func (l *FaceList) Used() int { return l.used }

// Left returns how many faces have not been drawn.
func (l *FaceList) Left() int { return len(l.faces) - l.used }
