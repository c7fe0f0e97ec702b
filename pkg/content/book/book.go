package book

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

const (
	rulesFile    = "rules.yaml"
	tablesFolder = "tables"
	tableEnding  = ".csv"
)

// Book is the files of one rule system.
type Book struct {
	system string
	files  fs.FS
}

// New is the book of a rule system, with its id, in the given files.
func New(system string, files fs.FS) Book { return Book{system, files} }

// System is the id of the rule system.
func (b Book) System() string { return b.system }

// Rules is the text of rules.yaml.
func (b Book) Rules() ([]byte, error) {
	text, err := fs.ReadFile(b.files, rulesFile)
	if err != nil {
		return nil, fmt.Errorf("book: %s: %w", b.system, err)
	}
	return text, nil
}

// Table is the text of a table, comma-separated with a heading; its name is
// that of the file without folder and ending: wounds.
func (b Book) Table(name string) (string, error) {
	text, err := fs.ReadFile(b.files, path.Join(tablesFolder, name+tableEnding))
	if err != nil {
		return "", fmt.Errorf("book: %s: table %s: %w", b.system, name, err)
	}
	return string(text), nil
}

// Tables are the names of all tables, in order.
func (b Book) Tables() ([]string, error) {
	entries, err := fs.ReadDir(b.files, tablesFolder)
	if err != nil {
		return nil, fmt.Errorf("book: %s: %w", b.system, err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), tableEnding); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// Files are the names of the book's files beside its tables, in order.
func (b Book) Files() []string {
	var names []string
	entries, err := fs.ReadDir(b.files, ".")
	if err != nil {
		return nil // a book without a folder has no files
	}
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// File is a file of the book by its name, such as conditions.yaml.
func (b Book) File(name string) ([]byte, error) {
	text, err := fs.ReadFile(b.files, name)
	if err != nil {
		return nil, fmt.Errorf("book: %s: %w", b.system, err)
	}
	return text, nil
}
