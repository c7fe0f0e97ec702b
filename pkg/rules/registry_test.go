package rules_test

import (
	"errors"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
)

// torn is a system with a table that does not hold.
type torn struct{ toy }

var errTorn = errors.New("row 3: a gap")

func (torn) Validate() error { return errTorn }

func TestRegistryRefusesBrokenTables(t *testing.T) {
	if _, err := rules.NewRegistry(torn{}); !errors.Is(err, errTorn) {
		t.Errorf("registered with a broken table: %v", err)
	}
	if _, err := rules.NewRegistry(toy{}, toy{}); err == nil {
		t.Error("two systems of one id are registered")
	}
}
