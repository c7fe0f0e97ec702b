package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/auth"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxShortToken is how long a token is good without --long.
const maxShortToken = time.Hour

func (a *app) tokenCommand() *cobra.Command {
	return group("token", "Make keys and tokens for callers", `A server with keys (skald up --auth-jwks keys.json) asks every caller for a token:
who it is, at which table, and what it may do. These commands make keys and
tokens with no server; an identity provider may do the same.`,
		a.tokenKeygen(), a.tokenSign(), a.tokenShow())
}

func (a *app) tokenKeygen() *cobra.Command {
	var alg, jwks string
	c := &cobra.Command{
		Use:   "keygen FILE",
		Short: "Make a key that tokens are signed with",
		Long: `Keygen writes a new private key to FILE, which only you can read, and adds its
public part to the key set of --jwks, which the server is given. A server that
runs takes a changed key set by itself: to replace a key, add the new one, sign
with it, and take the old one out when its last token has expired.

With --alg HS256 it writes a secret, for a single process (--auth-secret) or for
the services among themselves (--service-key); a secret has no public part.`,
		Example: `  skald token keygen table.key --jwks keys.json
  skald token keygen service.key --alg HS256`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if alg == auth.HS256 && jwks != "" {
				return usage("--jwks: a secret has no public part; give the file itself to --auth-secret")
			}
			kid, err := auth.NewKey(args[0], alg)
			if err != nil {
				return &usageError{err}
			}
			if jwks != "" {
				signer, err := auth.ReadSigner(args[0])
				if err == nil {
					err = signer.AddToKeySet(jwks)
				}
				if err != nil {
					return &usageError{err}
				}
			}
			return a.answerValue(map[string]string{"file": args[0], "alg": alg, "kid": kid, "jwks": jwks}, func() string {
				text := fmt.Sprintf("%s: %s", args[0], alg)
				if kid != "" {
					text += ", key " + kid
				}
				if jwks != "" {
					text += ", added to " + jwks
				}
				return text + "\n"
			})
		},
	}
	c.Flags().StringVar(&alg, "alg", auth.EdDSA, "algorithm: "+strings.Join(auth.Algorithms(), ", "))
	c.Flags().StringVar(&jwks, "jwks", "", "key set file that gets the public part; made when missing")
	return c
}

// signing is what `skald token sign` was asked for.
type signing struct {
	key, sub, role, issuer       string
	link, fight                  string
	encounters, scope, creatures []string
	lasts                        time.Duration
	long                         bool
}

func (a *app) tokenSign() *cobra.Command {
	var s signing
	c := &cobra.Command{
		Use:   "sign",
		Short: "Make a token",
		Long: `Sign prints a token for one person, or one program, at one table (--table). A
token says who (--sub: for a player, the name as in controllers), in which role,
and may be narrowed to encounters, scopes and creatures. Nobody can take back a
token but by the list of --auth-revoked, so it is good for an hour at most;
--long allows more, and the server must be told so too (--auth-max-age).

With --link it prints an invitation instead: a link to the page that the server
shows browsers, with the token behind the #, which browsers send to nobody. Who
has the link has the token. It opens the fight of --fight, or the only one of
--encounters; without either, the list of fights.`,
		Example: `  skald token sign --key table.key --role gm --sub kim
  skald token sign --key table.key --role player --sub ann --encounters bridge --for 30m
  skald token sign --key table.key --role player --sub ann --scope watch --creatures jeera
  skald token sign --key table.key --sub ann --link https://table.example --fight bridge
  skald token sign --key table.key --role spectator --sub overlay --link 'https://table.example/?view=overlay' --fight bridge`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			token, err := a.sign(s)
			if err != nil {
				return &usageError{err}
			}
			if s.link == "" {
				return a.answerValue(map[string]string{"token": token}, func() string { return token + "\n" })
			}
			link, err := invitation(s, token)
			if err != nil {
				return &usageError{err}
			}
			return a.answerValue(map[string]string{"token": token, "link": link}, func() string { return link + "\n" })
		},
	}
	f := c.Flags()
	f.StringVar(&s.key, "key", "", "file that `skald token keygen` made (required)")
	f.StringVar(&s.sub, "sub", "", "whose token it is (required)")
	f.StringVar(&s.role, "role", string(auth.Player), "role: gm, player, spectator or service")
	f.StringVar(&s.issuer, "issuer", "", "who issues it")
	f.StringSliceVar(&s.encounters, "encounters", nil, "encounters that it is for; all of the table when not given")
	f.StringSliceVar(&s.scope, "scope", nil, "what it allows: watch, execute, rule, tend, roll, export, content, admin; what the role has when not given")
	f.StringSliceVar(&s.creatures, "creatures", nil, "of a player's creatures, those that it may act for; all when not given")
	f.DurationVar(&s.lasts, "for", maxShortToken, "how long it is good")
	f.StringVar(&s.link, "link", "", "address of the page, such as https://table.example: print an invitation to it with the token")
	f.StringVar(&s.fight, "fight", "", "encounter that the invitation of --link opens")
	f.BoolVar(&s.long, "long", false, "let it be good for more than an hour")
	return c
}

func (a *app) sign(s signing) (string, error) {
	switch {
	case s.key == "":
		return "", errors.New("--key: missing")
	case s.fight != "" && s.link == "":
		return "", errors.New("--fight: says what an invitation opens; give --link too, or mean --encounters")
	case s.lasts <= 0:
		return "", fmt.Errorf("--for: want a time to come, got %s", s.lasts)
	case s.lasts > maxShortToken && !s.long:
		return "", fmt.Errorf("--for: %s is more than %s; nobody can take a token back, so say --long if you mean it", s.lasts, maxShortToken)
	}
	signer, err := auth.ReadSigner(s.key)
	if err != nil {
		return "", err
	}
	now, table := time.Now(), a.table
	if table == "" {
		table = "main"
	}
	c := auth.Claims{Skald: auth.Table{Table: table, Role: auth.Role(s.role), Encounters: s.encounters, Creatures: s.creatures}}
	if s.scope != nil {
		c.Skald.Scope = []auth.Scope{} // given and empty allows nothing
	}
	for _, word := range s.scope {
		c.Skald.Scope = append(c.Skald.Scope, auth.Scope(word))
	}
	c.Subject, c.Issuer = s.sub, s.issuer
	c.IssuedAt, c.ExpiresAt = jwt.NewNumericDate(now), jwt.NewNumericDate(now.Add(s.lasts))
	return signer.Sign(c)
}

func (a *app) tokenShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show [TOKEN]",
		Short: "Say what a token says of itself",
		Long: `Show prints what a token claims (that of --token or --token-file without an
argument; - reads standard input). It checks no signature: only a server knows
whether a token is good.`,
		Example: "  skald token show --token-file ann.token\n  skald token sign --key table.key --sub ann | skald token show -",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			token, err := a.bearer()
			if len(args) == 1 {
				token, err = args[0], nil
			}
			if token == "-" {
				var data []byte
				data, err = io.ReadAll(io.LimitReader(a.in, 1<<16))
				token = strings.TrimSpace(string(data))
			}
			if err == nil && token == "" {
				err = errors.New("no token: give one, or --token or --token-file")
			}
			if err != nil {
				return &usageError{err}
			}
			s, err := auth.Show(token)
			if err != nil {
				return &usageError{err}
			}
			return a.answerValue(map[string]any{"alg": s.Algorithm, "kid": s.Key, "claims": s.Claims}, func() string { return shown(s) })
		},
	}
}

// shown is a token in words.
func shown(s auth.Shown) string {
	var b strings.Builder
	line := func(name string, values ...string) {
		if text := strings.Join(values, ", "); text != "" {
			fmt.Fprintf(&b, "%-10s %s\n", name, text)
		}
	}
	t := s.Claims.Skald
	line("who", string(t.Role)+" "+s.Claims.Subject)
	line("table", t.Table)
	line("encounters", t.Encounters...)
	scope := t.Scope
	if scope == nil {
		scope = auth.DefaultScopes(t.Role)
	}
	var scopes []string
	for _, one := range scope {
		scopes = append(scopes, string(one))
	}
	line("scope", scopes...)
	line("creatures", t.Creatures...)
	line("issuer", s.Claims.Issuer)
	line("id", s.Claims.ID)
	line("key", strings.TrimSpace(s.Algorithm+" "+s.Key))
	if !s.Expires.IsZero() {
		when := "until"
		if s.Expires.Before(time.Now()) {
			when = "expired"
		}
		line(when, s.Expires.UTC().Format(time.RFC3339))
	}
	return b.String()
}

// bearer is the token of --token or --token-file; empty when there is none.
func (a *app) bearer() (string, error) {
	switch {
	case a.token != "" && a.tokenFile != "":
		return "", errors.New("--token and --token-file: give one of them")
	case a.tokenFile == "":
		return a.token, nil
	}
	data, err := os.ReadFile(a.tokenFile)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}

// tokenCredentials sends the token with every call; a file is read each time, so
// that a watch that connects again uses the token that is there then.
type tokenCredentials struct{ app *app }

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (c tokenCredentials) GetRequestMetadata(ctx context.Context, uri ...string) (map[string]string, error) {
	token, err := c.app.bearer()
	if err != nil || token == "" {
		return nil, err
	}
	return auth.Bearer(token).GetRequestMetadata(ctx, uri...)
}

// RequireTransportSecurity implements credentials.PerRPCCredentials.
func (c tokenCredentials) RequireTransportSecurity() bool { return false }

// own is on whose behalf a token's calls are made when --as says nothing; nil
// without a token.
func (a *app) own() (*eventv1.Principal, error) {
	token, err := a.bearer()
	if err != nil || token == "" {
		return nil, err
	}
	s, err := auth.Show(token)
	if err != nil {
		return nil, err
	}
	roles := []auth.Role{"", auth.GM, auth.Player, auth.Spectator} // in the contract's order
	i := slices.Index(roles, s.Claims.Skald.Role)
	if i < 1 {
		return nil, errors.New("--as: the token is that of a service, which must say on whose behalf it calls")
	}
	return &eventv1.Principal{Role: eventv1.Principal_Role(i), Name: s.Claims.Subject}, nil
}
