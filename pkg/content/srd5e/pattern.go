package srd5e

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled at its first use: most programs that
// hold this package read no monster, and there are seventy of them.
type pattern struct{ re func() *regexp.Regexp }

// patterns are all, for the test that each compiles.
var patterns []*pattern

// lazily is for the declarations of the package alone.
func lazily(text string) *pattern {
	p := &pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	patterns = append(patterns, p)
	return p
}

// The methods are those of regexp.Regexp.

func (p *pattern) MatchString(s string) bool { return p.re().MatchString(s) }

func (p *pattern) FindStringIndex(s string) []int { return p.re().FindStringIndex(s) }

func (p *pattern) FindStringSubmatch(s string) []string { return p.re().FindStringSubmatch(s) }

func (p *pattern) FindStringSubmatchIndex(s string) []int { return p.re().FindStringSubmatchIndex(s) }

func (p *pattern) FindAllStringIndex(s string, n int) [][]int { return p.re().FindAllStringIndex(s, n) }

func (p *pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.re().FindAllStringSubmatch(s, n)
}

func (p *pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.re().FindAllStringSubmatchIndex(s, n)
}

func (p *pattern) ReplaceAllString(s, by string) string { return p.re().ReplaceAllString(s, by) }
