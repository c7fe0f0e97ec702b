package rules_test

import (
	"errors"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
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

// A lazy registry refuses a broken system when it is asked for, and no other one.
func TestLazyRegistryChecksWhatIsAskedFor(t *testing.T) {
	r := rules.NewLazyRegistry(map[string]rules.System{"toy": toy{}, "torn": renamed{torn{}, "torn"}, "other": toy{}})
	if _, err := r.System("toy"); err != nil {
		t.Errorf("a good system: %v", err)
	}
	for range 2 {
		if _, err := r.System("torn"); !errors.Is(err, errTorn) {
			t.Errorf("a system with a broken table: %v", err)
		}
	}
	if _, err := r.System("other"); err == nil {
		t.Error("a system is found under the id of another")
	}
	if _, err := r.System("none"); !fault.Is(err, fault.NotFound) {
		t.Errorf("no system: %v", err)
	}
	if info, ok := r.Info("torn"); !ok || info.ID != "torn" {
		t.Errorf("the name of a system: %v, %v", info, ok)
	}
	if _, ok := r.Info("none"); ok {
		t.Error("the name of no system")
	}
}

// renamed is a system of another id.
type renamed struct {
	torn
	id string
}

func (r renamed) Info() rules.Info { return rules.Info{ID: r.id} }
