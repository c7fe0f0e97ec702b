package rcr

import (
	"encoding/csv"
	"fmt"
	"strings"
	"sync"
)

// Trait is a trait of classes, species or monsters that sheets may name.
type Trait struct {
	// Name in lower case.
	Name string
	// Rule id that decides it; empty for one that no code decides.
	Rule string
}

// Traits lists the traits that sheets may name, in the order of their names.
func Traits() ([]Trait, error) { return traits() }

var traits = sync.OnceValues(func() ([]Trait, error) {
	text, err := Book().Table("traits")
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("rcr: traits.csv: %w", err)
	}
	var out []Trait
	for _, cells := range rows[1:] {
		out = append(out, Trait{cells[0], cells[1]})
	}
	return out, nil
})
