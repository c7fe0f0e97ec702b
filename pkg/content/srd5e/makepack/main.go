// Command makepack writes the pack of the System Reference Document 5.1 for rcr
// from a folder with the records of the 5e-database project:
//
//	go run ./content/srd5e/makepack FOLDER    (in pkg)
//
// It must never be needed to run Skald: what it writes is committed.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skaldrpg/skald/pkg/content/srd5e/packing"
)

const target = "content/packs/srd5e"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "makepack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want the folder of the records")
	}
	var in packing.Input
	for name, into := range map[string]*[]byte{"equipment": &in.Equipment, "conditions": &in.Conditions, "spells": &in.Spells} {
		data, err := os.ReadFile(filepath.Join(args[0], "5e-srd-"+name+".json"))
		if err != nil {
			return err
		}
		*into = data
	}
	files, err := packing.Make(in)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(target, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
