package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"strconv"
	"strings"
)

// Mutant is one change of one file, by bytes.
type Mutant struct {
	File       string // from the top of the tree, with slashes
	Line       int
	Kind       string // negate, arm, compare, number, call, cell
	Start, End int    // what is replaced, in bytes
	Was, New   string
	At         string // the line, with what is replaced marked

	// What weaving needs: the operands of a comparison or a condition, in bytes,
	// whether an arm is one of an "or" and which it keeps, and whether a call stands
	// as a statement of its own.
	X, Y      [2]int
	Or        bool
	Keeps     string
	Statement bool
}

func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s -> %s", m.File, m.Line, m.Kind, oneLine(m.Was), oneLine(m.New))
}

// oneLine shortens a piece of code for a report.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" {
		return "(nothing)"
	}
	if len(s) > 90 {
		return s[:87] + "..."
	}
	return s
}

// applied is the file with the change.
func (m Mutant) applied(src []byte) []byte {
	return bytes.Join([][]byte{src[:m.Start], []byte(m.New), src[m.End:]}, nil)
}

// mutants are all changes of a file.
func mutants(root, file string) ([]Mutant, error) {
	src, err := os.ReadFile(root + "/" + file)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(file, ".csv") {
		return cells(file, src)
	}
	return code(file, src)
}

// moved are the comparisons and what each becomes: the neighbour that differs at
// the boundary alone, or the opposite where there is none.
var moved = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// code finds the changes of a Go file.
func code(file string, src []byte) ([]Mutant, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	f := &finder{file: file, src: src, set: set, simple: map[ast.Stmt]bool{}}
	ast.Inspect(tree, f.visit)
	return f.found, nil
}

type finder struct {
	file  string
	src   []byte
	set   *token.FileSet
	found []Mutant
	// simple are calls that are no statement of their own: before a condition, or
	// after a round.
	simple map[ast.Stmt]bool
}

func (f *finder) text(n ast.Node) string {
	return string(f.src[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

func (f *finder) add(kind string, from, to token.Pos, put string) {
	start, end := f.set.Position(from), f.set.Position(to)
	f.found = append(f.found, Mutant{File: f.file, Line: start.Line, Kind: kind, Start: start.Offset, End: end.Offset,
		Was: string(f.src[start.Offset:end.Offset]), New: put, At: marked(f.src, start.Offset, end.Offset)})
}

// marked is the line on which a piece of a file begins, with the piece between
// » and «: the same on another line, or twice on one, is another place.
func marked(src []byte, from, to int) string {
	begin := bytes.LastIndexByte(src[:from], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
		end = from + i
	}
	to = min(to, end)
	return strings.TrimSpace(string(src[begin:from]) + "»" + string(src[from:to]) + "«" + string(src[to:end]))
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field: // tags and array lengths of types
		return false
	case *ast.IfStmt:
		f.simple[n.Init] = true
		f.negate(n.Cond)
	case *ast.ForStmt:
		f.simple[n.Init], f.simple[n.Post] = true, true
		if n.Cond != nil {
			f.negate(n.Cond)
		}
	case *ast.SwitchStmt:
		f.simple[n.Init] = true
		if n.Tag == nil {
			f.cases(n.Body)
		}
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.BasicLit:
		if n.Kind == token.INT {
			if v, err := strconv.ParseInt(n.Value, 0, 62); err == nil {
				f.add("number", n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
			}
		}
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && f.text(call.Fun) != "panic" {
			f.add("call", n.Pos(), n.End(), "")
			f.last().Statement = !f.simple[n]
		}
	}
	return true
}

// negate turns a condition round, but for a bare comparison: that is turned
// round or moved as such.
func (f *finder) negate(cond ast.Expr) {
	if b, ok := cond.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	f.add("negate", cond.Pos(), cond.End(), "!("+f.text(cond)+")")
}

func (f *finder) cases(body *ast.BlockStmt) {
	for _, s := range body.List {
		for _, cond := range s.(*ast.CaseClause).List {
			f.negate(cond)
		}
	}
}

// binary drops one arm of a compound condition, or moves a comparison.
func (f *finder) binary(n *ast.BinaryExpr) {
	if n.Op == token.LAND || n.Op == token.LOR {
		for keeps, arm := range []ast.Expr{n.X, n.Y} {
			f.add("arm", n.Pos(), n.End(), "("+f.text(arm)+")")
			f.operands(n)
			f.last().Or, f.last().Keeps = n.Op == token.LOR, []string{"left", "right"}[keeps]
		}
	}
	if to, ok := moved[n.Op]; ok {
		f.add("compare", n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
		f.operands(n)
	}
}

func (f *finder) last() *Mutant { return &f.found[len(f.found)-1] }

// operands notes where the two sides of the last mutant lie.
func (f *finder) operands(n *ast.BinaryExpr) {
	at := func(p token.Pos) int { return f.set.Position(p).Offset }
	f.last().X, f.last().Y = [2]int{at(n.X.Pos()), at(n.X.End())}, [2]int{at(n.Y.Pos()), at(n.Y.End())}
}

// cells finds the changes of a table: each number by one, each word to the next
// other one of its column. Quoted cells are left alone.
func cells(file string, src []byte) ([]Mutant, error) {
	r := csv.NewReader(bytes.NewReader(src))
	r.FieldsPerRecord, r.Comment = -1, '#'
	starts := lineStarts(src)
	type cell struct {
		text        string
		line, start int
	}
	var rows [][]cell
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		row := make([]cell, len(record))
		for i, text := range record {
			line, column := r.FieldPos(i)
			row[i] = cell{text, line, starts[line-1] + column - 1}
		}
		rows = append(rows, row)
	}
	var out []Mutant
	for y := 1; y < len(rows); y++ { // the first row names the columns
		for x, c := range rows[y] {
			if c.text == "" || !bytes.HasPrefix(src[c.start:], []byte(c.text)) {
				continue
			}
			put := ""
			if v, err := strconv.Atoi(c.text); err == nil {
				put = strconv.Itoa(v + 1)
			} else {
				for i := 1; i < len(rows) && put == ""; i++ {
					if other := rows[1+(y-1+i)%(len(rows)-1)]; x < len(other) && other[x].text != c.text && !strings.ContainsAny(other[x].text, "\",\n") {
						put = other[x].text
					}
				}
			}
			if put != "" {
				out = append(out, Mutant{File: file, Line: c.line, Kind: "cell", Start: c.start, End: c.start + len(c.text), Was: c.text, New: put, At: marked(src, c.start, c.start+len(c.text))})
			}
		}
	}
	return out, nil
}

func lineStarts(src []byte) []int {
	out := []int{0}
	for i, b := range src {
		if b == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}
