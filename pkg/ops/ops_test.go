package ops_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/ops"
)

func TestBoard(t *testing.T) {
	var none *ops.Board
	none.Add(func() ops.Part { return ops.Part{} })
	if none.Parts() != nil {
		t.Error("a nil board has parts")
	}
	var b ops.Board
	b.Add(func() ops.Part { return ops.Part{Name: "journal", State: ops.Degraded} })
	b.Add(func() ops.Part { return ops.Part{Name: "archive"} })
	parts := b.Parts()
	if len(parts) != 2 || parts[0].Name != "archive" || ops.Worst(parts) != ops.Degraded {
		t.Errorf("%+v", parts)
	}
}
