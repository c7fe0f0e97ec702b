// Package basic is the rule book of Basic as data: every rule with its words
// (rules.yaml) and every table that decides (tables/). The constants of package
// cite below it are the ids of the rules, generated from rules.yaml.
//
// It must never compute anything: what the rows mean is known by
// pkg/rules/basic, what the entries mean by pkg/catalogue.
package basic
