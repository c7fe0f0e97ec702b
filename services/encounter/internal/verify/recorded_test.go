package verify_test

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/services/encounter/internal/verify"
)

// Golden fights of every released version are decided again: this build comes to
// what is on record, or its version went up.
func TestRecordedFights(t *testing.T) {
	sets, err := recorded.Sets()
	if err != nil {
		t.Fatal(err)
	}
	registry := systems.Registry()
	for _, set := range sets {
		all, err := recorded.Systems(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, system := range all {
			fights, err := recorded.Load(set, system)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range fights {
				t.Run(fmt.Sprint(set, "/", system, "/", f.Name), func(t *testing.T) {
					report, err := verify.Commits(t.Context(), verify.Config{Systems: registry}, f.Commits)
					if err != nil {
						t.Fatal(err)
					}
					for _, p := range report.Problems {
						t.Error(p)
					}
					t.Logf("%d Commits, %d decided again, %d commands of amendments, %d digests; other rules: %+v",
						len(f.Commits), report.Decided, report.Commands, report.Digests, report.Other)
					if report.Decided == 0 && len(report.Other) == 0 {
						t.Errorf("nothing was decided again: %+v", report)
					}
				})
			}
		}
	}
}
