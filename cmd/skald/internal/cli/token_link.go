package cli

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/skaldrpg/skald/pkg/auth"
)

// invitation is the link that lets whoever opens it sit down at the table with a
// token: the page reads what stands behind the #, takes it out of the address and
// keeps it for the tab. Nothing behind the # goes to a server.
func invitation(s signing, token string) (string, error) {
	u, err := url.Parse(s.link)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.User != nil, u.Fragment != "":
		return "", fmt.Errorf("--link: want the address of the page, such as https://table.example, without a #; got %q", s.link)
	case auth.Role(s.role) == auth.Service:
		return "", fmt.Errorf("--link: a token of the role %s is for programs; nobody sits at the page with it", auth.Service)
	case s.fight != "" && len(s.encounters) > 0 && !slices.Contains(s.encounters, s.fight):
		return "", fmt.Errorf("--fight: the token is not for %s: --encounters names others", s.fight)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	link := u.String() + "#token=" + token
	if s.fight != "" {
		link += "&encounter=" + url.QueryEscape(s.fight)
	}
	return link, nil
}
