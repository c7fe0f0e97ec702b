package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The files of deploy set the feed by flags that there are, as the writer whom the NATS
// server knows, with a password that both get from one place.
func TestDeployedFeed(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("../../../../deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var o feedOptions
	flags := pflag.NewFlagSet("encounter", pflag.ContinueOnError)
	o.flags(flags)
	setting := regexp.MustCompile(`\b(SKALD_FEED\w*)(?:: | *, value: *)("?)([^"\s}]*)`)
	for name, password := range map[string]string{
		"compose.yaml":              "SKALD_FEED_PASSWORD: ${NATS_FEED_WRITER_PASSWORD:?}",
		"kubernetes/encounter.yaml": "{ name: SKALD_FEED_PASSWORD, valueFrom: { secretKeyRef: { name: nats-passwords, key: feed-writer } } }",
	} {
		text := read(name)
		set := map[string]string{}
		for _, m := range setting.FindAllStringSubmatch(text, -1) {
			set[m[1]] = m[3]
			flag := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(m[1], "SKALD_")), "_", "-")
			if flags.Lookup(flag) == nil {
				t.Errorf("%s sets %s, and there is no flag %s", name, m[1], flag)
			} else if err := flags.Set(flag, m[3]); err != nil && !strings.HasPrefix(m[3], "$") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, ok := set["SKALD_FEED"]; !ok || set["SKALD_FEED_USER"] != "feed-writer" || set["SKALD_FEED_REPLICAS"] != "3" || !strings.Contains(text, password) {
			t.Errorf("%s sets %v", name, set)
		}
	}
	if conf := read("kubernetes/nats.conf"); !strings.Contains(conf, "{ user: feed-writer, password: $NATS_FEED_WRITER_PASSWORD }") {
		t.Error("the NATS server knows no writer")
	}
	if nats := read("kubernetes/nats.yaml"); !strings.Contains(nats, "{ name: NATS_FEED_WRITER_PASSWORD, valueFrom: { secretKeyRef: { name: nats-passwords, key: feed-writer } } }") {
		t.Error("the NATS server has no password for the writer")
	}
}
