package allinone_test

import (
	"context"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

// guarded is the suite behind a server with keys.
type guarded struct {
	t      *testing.T
	stack  *allinone.Stack
	server *rpc.Server
	pipe   *rpc.InProcess
	signer *auth.Signer
	open   grpc.ClientConnInterface // the suite's own, where everybody may be anyone
}

func startGuarded(t *testing.T) *guarded {
	t.Helper()
	dir := t.TempDir()
	jwks := filepath.Join(dir, "keys.json")
	if _, err := auth.NewKey(filepath.Join(dir, "key"), auth.EdDSA); err != nil {
		t.Fatal(err)
	}
	signer, err := auth.ReadSigner(filepath.Join(dir, "key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := signer.AddToKeySet(jwks); err != nil {
		t.Fatal(err)
	}
	guard, err := auth.NewGuard(t.Context(), auth.Options{JWKS: jwks}, &net.TCPAddr{IP: net.IPv4zero}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	stack := start(t, t.TempDir())
	g := &guarded{t: t, stack: stack, signer: signer, pipe: rpc.NewInProcess(), open: stack.Conn(), server: rpc.NewServer(rpc.Options{Logger: quiet(),
		Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})}
	stack.Register(g.server)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, g.server, g.pipe.Listener()) }() // ends with stop
	t.Cleanup(func() {
		stack.StopWatches()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return g
}

func (g *guarded) dial(opts ...grpc.DialOption) *grpc.ClientConn {
	g.t.Helper()
	conn, err := g.pipe.Dial(opts...)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { conn.Close() }) //nolint:errcheck // the test is over
	return conn
}

func (g *guarded) token(t auth.Table) auth.Bearer {
	g.t.Helper()
	sub := map[auth.Role]string{auth.GM: "kim", auth.Player: "ann", auth.Spectator: "zoe", auth.Service: "vtt"}[t.Role]
	text, err := g.signer.Sign(auth.Claims{Skald: t, RegisteredClaims: jwt.RegisteredClaims{Subject: sub,
		ExpiresAt: jwt.NewNumericDate(time.Now().Add(10 * time.Minute))}})
	if err != nil {
		g.t.Fatal(err)
	}
	return auth.Bearer(text)
}

var master = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}

// play makes an encounter and a patient of a table.
func (g *guarded) play(table, encounter, patient string) {
	g.t.Helper()
	if _, err := encounterv1.NewEncounterServiceClient(g.open).Execute(g.t.Context(), &encounterv1.ExecuteRequest{RequestId: "c", As: master,
		Table: table, Encounter: encounter, Command: create(encounter)}); err != nil {
		g.t.Fatal(err)
	}
	sheet, err := sheets.Get("rcr", "fighter")
	if err != nil {
		g.t.Fatal(err)
	}
	sheet = proto.Clone(sheet).(*eventv1.Sheet)
	sheet.Id, sheet.Controllers = patient, []string{"ann"}
	if _, err := injuryv1.NewInjuryServiceClient(g.open).Tend(g.t.Context(), &injuryv1.TendRequest{RequestId: table + "-" + patient, As: master, Table: table, System: "rcr",
		Command: &eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{Deed: "enrol", Patients: []string{patient}, Sheet: sheet}}}}); err != nil {
		g.t.Fatal(err)
	}
}

func create(encounter string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: encounter, System: "rcr"}}}
}

// call is one row of the matrix: a method or a command, what it needs, and a
// request of it. What is expected is written here and not taken from the guard.
type call struct {
	method string
	// command tells rows of one method apart.
	command string
	// scope that is needed; empty when every token will do.
	scope auth.Scope
	// roles that may: g, p, s; a service may what it speaks for, here a game master.
	roles string
	// where: e leads to an encounter, t to a table, - nowhere.
	where string
	// request at a table and an encounter, or of a patient there.
	request func(table, encounter, patient string, as *eventv1.Principal) proto.Message
	// empty: the answer for a table without anything is an empty list.
	empty bool
}

const (
	enc  = "/skald.encounter.v1.EncounterService/"
	inj  = "/skald.injury.v1.InjuryService/"
	dice = "/skald.dice.v1.DiceService/"
	book = "/skald.rules.v1.RulesService/"
	con  = "/skald.encounter.v1.ContentService/"
	rec  = "/skald.encounter.v1.RecordService/"
	what = "/skald.encounter.v1.WhatIfService/"
	pat  = "/skald.injury.v1.PatientRecordService/"
	pers = "/skald.encounter.v1.PersonService/"
)

// administered methods are also for those whose token has the scope admin.
var administered = []string{con + "PutPack", con + "CheckPack", enc + "Import", rec + "GetCheckpoint", pers + "SetPerson", pers + "ForgetPerson"}

// makes tells of a method that would make something at a table: elsewhere it is
// refused, whether there is such a table or not.
func makes(method string) bool { return slices.Contains(administered, method) }

func execute(c *eventv1.Command) func(string, string, string, *eventv1.Principal) proto.Message {
	return func(t, e, _ string, as *eventv1.Principal) proto.Message {
		return &encounterv1.ExecuteRequest{RequestId: "matrix", Table: t, Encounter: e, As: as, Command: c}
	}
}

func matrix() []call {
	return []call{
		{enc + "Execute", "end_turn", auth.Execute, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}}), false},
		{enc + "Execute", "patient", auth.Tend, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_Patient{Patient: &eventv1.PatientCommand{}}}), false},
		{enc + "Execute", "revert", auth.Rule, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{}}}), false},
		{enc + "Execute", "redo", auth.Rule, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{}}}), false},
		{enc + "Execute", "amend", auth.Rule, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{}}}), false},
		{enc + "Execute", "contest", auth.Execute, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_Contest{Contest: &eventv1.ContestStep{}}}), false},
		{enc + "Execute", "take_back", auth.Execute, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_TakeBack{TakeBack: &eventv1.TakeBack{}}}), false},
		{enc + "Execute", "answer_contest", auth.Execute, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_AnswerContest{AnswerContest: &eventv1.AnswerContest{}}}), false},
		{enc + "Execute", "settle", auth.Rule, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{}}}), false},
		{enc + "Execute", "save", auth.Rule, "gp", "e", execute(&eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{}}}), false},
		{pers + "SetPerson", "", auth.Execute, "gp", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.SetPersonRequest{Table: t, As: as, Person: &encounterv1.Person{Id: "ann", Name: "Ann"}}
		}, false},
		{pers + "ListPersons", "", auth.Watch, "gps", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ListPersonsRequest{Table: t, As: as}
		}, true},
		{pers + "ForgetPerson", "", auth.Execute, "gp", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ForgetPersonRequest{Table: t, As: as, Id: "ann"}
		}, false},
		{what + "ListContests", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ListContestsRequest{Table: t, Encounter: e, As: as}
		}, false},
		{what + "Preview", "", auth.Watch, "gp", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.PreviewRequest{Table: t, Encounter: e, As: as}
		}, false},
		{what + "Compare", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.CompareRequest{Table: t, Encounter: e, As: as, OtherEncounter: e}
		}, false},
		{enc + "PreviewRuling", "", auth.Rule, "g", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.PreviewRulingRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "GetState", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetStateRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "GetNext", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetNextRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "GetOptions", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetOptionsRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "GetDifference", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetDifferenceRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "GetHistory", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetHistoryRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "Explain", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ExplainRequest{Table: t, Encounter: e, As: as, Number: 1}
		}, false},
		{enc + "Watch", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.WatchRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "Export", "", auth.Export, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ExportRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "Import", "", auth.Content, "g", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ImportRequest{Table: t, Encounter: e, As: as}
		}, false},
		{enc + "ListEncounters", "", auth.Watch, "gps", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ListEncountersRequest{Table: t, As: as}
		}, true},
		{rec + "GetHead", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetHeadRequest{Table: t, Encounter: e, As: as}
		}, false},
		{rec + "GetTranscript", "", auth.Watch, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetTranscriptRequest{Table: t, Encounter: e, As: as}
		}, false},
		{rec + "GetHeaders", "", auth.Export, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetHeadersRequest{Table: t, Encounter: e, As: as}
		}, false},
		{rec + "ProveHead", "", auth.Export, "gps", "e", func(t, e, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ProveHeadRequest{Table: t, Encounter: e, As: as, Version: 1}
		}, false},
		{rec + "GetHead", "", auth.Watch, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetHeadRequest{Table: t, Patient: p, As: as}
		}, false},
		{rec + "GetTranscript", "", auth.Watch, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetTranscriptRequest{Table: t, Patient: p, As: as}
		}, false},
		{rec + "GetHeaders", "", auth.Export, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetHeadersRequest{Table: t, Patient: p, As: as}
		}, false},
		{rec + "ProveHead", "", auth.Export, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ProveHeadRequest{Table: t, Patient: p, As: as, Version: 1}
		}, false},
		{rec + "GetKeys", "", "", "gps", "-", nil, false},
		{rec + "GetCheckpoint", "", auth.Witness, "gps", "-", nil, false},
		{con + "PutPack", "", auth.Content, "g", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.PutPackRequest{Table: t, As: as}
		}, false},
		{con + "CheckPack", "", auth.Content, "g", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.CheckPackRequest{Table: t, As: as}
		}, false},
		{con + "GetPack", "", auth.Watch, "gp", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.GetPackRequest{Table: t, As: as, Pack: "our-table"}
		}, false},
		{con + "CheckSheet", "", auth.Watch, "gp", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.CheckSheetRequest{Table: t, As: as, System: "rcr", Packs: []string{"our-table"}, Sheet: &eventv1.Sheet{Id: "kara"}}
		}, false},
		{con + "ListContent", "", auth.Watch, "gp", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ListContentRequest{Table: t, As: as, Packs: []string{"our-table"}}
		}, false},
		{con + "ListPacks", "", auth.Watch, "gp", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &encounterv1.ListPacksRequest{Table: t, As: as}
		}, true},
		{inj + "Tend", "", auth.Tend, "gp", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &injuryv1.TendRequest{RequestId: "matrix", Table: t, As: as, Command: &eventv1.Command{What: &eventv1.Command_Patient{
				Patient: &eventv1.PatientCommand{Deed: "treat", Patients: []string{p}}}}}
		}, false},
		{inj + "GetPatient", "", auth.Watch, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &injuryv1.GetPatientRequest{Table: t, Patient: p, As: as}
		}, false},
		{inj + "GetPatientHistory", "", auth.Watch, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &injuryv1.GetPatientHistoryRequest{Table: t, Patient: p, As: as}
		}, false},
		{inj + "ListPatients", "", auth.Watch, "gps", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &injuryv1.ListPatientsRequest{Table: t, As: as}
		}, true},
		{pat + "ExplainDeed", "", auth.Watch, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &injuryv1.ExplainDeedRequest{Table: t, Patient: p, As: as}
		}, false},
		{pat + "ExportPatient", "", auth.Export, "gps", "t", func(t, _, p string, as *eventv1.Principal) proto.Message {
			return &injuryv1.ExportPatientRequest{Table: t, Patient: p, As: as}
		}, false},
		{pat + "ExportTable", "", auth.Export, "g", "t", func(t, _, _ string, as *eventv1.Principal) proto.Message {
			return &injuryv1.ExportTableRequest{Table: t, As: as}
		}, false},
		{dice + "Roll", "", auth.Roll, "gps", "-", nil, false},
		{dice + "Odds", "", auth.Roll, "gps", "-", nil, false},
		{dice + "Verify", "", auth.Export, "gps", "-", nil, false},
		{"/skald.ops.v1.OperationsService/GetStatus", "", auth.Admin, "gps", "-", nil, false},
		{"/skald.ops.v1.TableService/ListTables", "", auth.Admin, "gps", "-", nil, false},
		{"/skald.ops.v1.TableService/DeleteTable", "", auth.Admin, "gps", "-", nil, false},
		{"/skald.ops.v1.TableService/GetTombstone", "", auth.Admin, "gps", "-", nil, false},
		{book + "ListSystems", "", "", "gps", "-", nil, false},
		{book + "ListRules", "", "", "gps", "-", nil, false},
		{book + "GetRule", "", "", "gps", "-", nil, false},
		{book + "ListSettings", "", "", "gps", "-", nil, false},
		{book + "ListWords", "", "", "gps", "-", nil, false},
		{book + "CheckSheet", "", "", "gps", "-", nil, false},
	}
}

// try makes a call, or begins a stream, and returns its error and the reply of a
// call. The request of one that leads nowhere is empty: what the service makes
// of it does not matter here.
func try(ctx context.Context, conn grpc.ClientConnInterface, c call, req proto.Message) (proto.Message, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	switch c.method {
	case enc + "Watch":
		s, err := encounterv1.NewEncounterServiceClient(conn).Watch(ctx, req.(*encounterv1.WatchRequest))
		if err == nil {
			_, err = s.Recv()
		}
		return nil, err
	case enc + "Export":
		s, err := encounterv1.NewEncounterServiceClient(conn).Export(ctx, req.(*encounterv1.ExportRequest))
		if err == nil {
			_, err = s.Recv()
		}
		return nil, err
	case pat + "ExportPatient":
		s, err := injuryv1.NewPatientRecordServiceClient(conn).ExportPatient(ctx, req.(*injuryv1.ExportPatientRequest))
		if err == nil {
			_, err = s.Recv()
		}
		return nil, err
	case pat + "ExportTable":
		s, err := injuryv1.NewPatientRecordServiceClient(conn).ExportTable(ctx, req.(*injuryv1.ExportTableRequest))
		if err == nil {
			_, err = s.Recv()
		}
		return nil, err
	}
	replies := map[string]proto.Message{enc + "ListEncounters": &encounterv1.ListEncountersResponse{}, inj + "ListPatients": &injuryv1.ListPatientsResponse{}, con + "ListPacks": &encounterv1.ListPacksResponse{},
		pers + "ListPersons": &encounterv1.ListPersonsResponse{}}
	reply := replies[c.method]
	if reply == nil {
		reply = &encounterv1.GetStateResponse{} // fields that it does not know are kept aside
	}
	if req == nil {
		req = &rulesv1.ListSystemsRequest{}
	}
	return reply, conn.Invoke(ctx, c.method, req, reply)
}

// refusal is the guard's reason; empty when the call was let through.
func refusal(err error) string {
	f, ok := fault.As(err)
	if ok && slices.Contains([]string{auth.ReasonMethod, auth.ReasonScope, auth.ReasonRole, auth.ReasonWider, auth.ReasonElsewhere}, f.Reason) {
		return f.Reason
	}
	if status.Code(err) == codes.Unauthenticated {
		return f.Reason
	}
	return ""
}

// Every method that the server has is in the matrix, and none is that only the
// services may call.
func TestMatrixIsWhole(t *testing.T) {
	g := startGuarded(t)
	rows := map[string]bool{}
	for _, c := range matrix() {
		rows[c.method] = true
	}
	for service, info := range g.server.GetServiceInfo() {
		for _, m := range info.Methods {
			name := "/" + service + "/" + m.Name
			if !rows[name] && !strings.HasPrefix(name, "/grpc.") {
				t.Errorf("%s is served and not in the matrix", name)
			}
			delete(rows, name)
		}
	}
	for name := range rows {
		t.Errorf("%s is in the matrix and not served", name)
	}
	conn := g.dial(grpc.WithPerRPCCredentials(g.token(auth.Table{Table: "main", Role: auth.Service, Scope: auth.Scopes()})))
	for _, conn := range []grpc.ClientConnInterface{conn, g.open} {
		for name, err := range map[string]error{
			"OpenEpoch":      second(dicev1.NewTapeServiceClient(conn).OpenEpoch(t.Context(), &dicev1.OpenEpochRequest{})),
			"Draw":           second(dicev1.NewTapeServiceClient(conn).Draw(t.Context(), &dicev1.DrawRequest{})),
			"Reveal":         second(dicev1.NewTapeServiceClient(conn).Reveal(t.Context(), &dicev1.RevealRequest{})),
			"ListTapes":      second(dicev1.NewTapeServiceClient(conn).ListTapes(t.Context(), &dicev1.ListTapesRequest{})),
			"Assess":         second(injuryv1.NewAssessmentServiceClient(conn).Assess(t.Context(), &injuryv1.AssessRequest{})),
			"PrepareEngage":  second(injuryv1.NewAssessmentServiceClient(conn).PrepareEngage(t.Context(), &injuryv1.PrepareEngageRequest{})),
			"ReadHeaders":    second(injuryv1.NewAssessmentServiceClient(conn).ReadHeaders(t.Context(), &injuryv1.ReadHeadersRequest{})),
			"PrepareRelease": second(injuryv1.NewAssessmentServiceClient(conn).PrepareRelease(t.Context(), &injuryv1.PrepareReleaseRequest{})),
			"the old Draw":   conn.Invoke(t.Context(), dice+"Draw", &dicev1.DrawRequest{}, &dicev1.DrawResponse{}),
			"the old Assess": conn.Invoke(t.Context(), inj+"Assess", &injuryv1.AssessRequest{}, &injuryv1.AssessResponse{}),
		} {
			if status.Code(err) != codes.Unimplemented {
				t.Errorf("%s: %v, want UNIMPLEMENTED", name, err)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Method by role by scope by place.
func TestMatrix(t *testing.T) {
	g := startGuarded(t)
	g.play("main", "bridge", "jeera")
	g.play("main", "cellar", "kesh")
	g.play("other", "bridge", "jeera")
	scopes := [][]auth.Scope{nil, {}, auth.Scopes()}
	for _, s := range auth.Scopes() {
		scopes = append(scopes, []auth.Scope{s})
	}
	without := g.dial()
	for _, c := range matrix() {
		request := func(table, encounter, patient string, as *eventv1.Principal) proto.Message {
			if c.request == nil {
				return nil
			}
			return c.request(table, encounter, patient, as)
		}
		name := strings.TrimSuffix(c.method+" "+c.command, " ")
		if _, err := try(t.Context(), without, c, request("main", "bridge", "jeera", master)); refusal(err) != auth.ReasonMissing {
			t.Errorf("%s without a token: %v", name, err)
		}
		for _, role := range auth.Roles() {
			var as *eventv1.Principal
			if role == auth.Service {
				as = master
			}
			for _, list := range scopes {
				claims := auth.Table{Table: "main", Role: role, Scope: list, Encounters: []string{"bridge"}}
				who := name + " as " + string(role) + " with " + strings.Join(words(list), "+")
				has := list
				if list == nil {
					has = auth.DefaultScopes(role)
				}
				want := ""
				switch letter := map[auth.Role]string{auth.GM: "g", auth.Service: "g", auth.Player: "p", auth.Spectator: "s"}[role]; {
				case c.scope != "" && !slices.Contains(has, c.scope) && !(slices.Contains(administered, c.method) && slices.Contains(has, auth.Admin)):
					want = auth.ReasonScope
				case !strings.Contains(c.roles, letter):
					want = auth.ReasonRole
				}
				conn := g.dial(grpc.WithPerRPCCredentials(g.token(claims)))
				_, err := try(t.Context(), conn, c, request("main", "bridge", "jeera", as))
				if got := refusal(err); got != want {
					t.Errorf("%s: %q (%v), want %q", who, got, err, want)
				}
				if c.where == "-" {
					conn.Close()
					continue
				}
				for _, at := range [][2]string{{"other", "bridge"}, {"main", "cellar"}} {
					if at[0] == "main" && c.where != "e" {
						continue
					}
					g.elsewhere(t, conn, c, who, at, want, as)
				}
				conn.Close()
			}
		}
	}
}

// elsewhere compares what is said of something that is there, and not the token's,
// with what is said of something that is not there.
func (g *guarded) elsewhere(t *testing.T, conn *grpc.ClientConn, c call, who string, at [2]string, want string, as *eventv1.Principal) {
	t.Helper()
	there, err := try(t.Context(), conn, c, c.request(at[0], at[1], "jeera", as))
	if want != "" {
		if refusal(err) != want {
			t.Errorf("%s at %v: %v, want %s", who, at, err, want)
		}
		return
	}
	if makes(c.method) {
		if refusal(err) != auth.ReasonElsewhere {
			t.Errorf("%s at %v: %v, want %s", who, at, err, auth.ReasonElsewhere)
		}
		return
	}
	if c.empty {
		if err != nil || proto.Size(there) != 0 {
			t.Errorf("%s at %v: %v, %v, want an empty list", who, at, there, err)
		}
		return
	}
	_, none := try(t.Context(), g.open, c, c.request("desert", at[1], "jeera", master))
	got, not := status.Convert(err), status.Convert(none)
	if got.Code() != codes.NotFound || !proto.Equal(got.Proto(), not.Proto()) {
		t.Errorf("%s at %v: %v; where there is nothing: %v", who, at, got.Proto(), not.Proto())
	}
}

func words(list []auth.Scope) (out []string) {
	for _, s := range list {
		out = append(out, string(s))
	}
	return out
}

// A list shows only the encounters of the token, and pages tell of no others.
func TestListsOnlyItsEncounters(t *testing.T) {
	g := startGuarded(t)
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		g.play("main", id, "p-"+id)
	}
	for listed := 0; listed < 5; { // the list follows the log
		list, err := encounterv1.NewEncounterServiceClient(g.open).ListEncounters(t.Context(), &encounterv1.ListEncountersRequest{As: master})
		if err != nil {
			t.Fatal(err)
		}
		listed = len(list.Encounters)
	}
	client := encounterv1.NewEncounterServiceClient(g.dial(grpc.WithPerRPCCredentials(
		g.token(auth.Table{Table: "main", Role: auth.Player, Encounters: []string{"b", "e"}}))))
	var got []string
	after := ""
	for {
		list, err := client.ListEncounters(t.Context(), &encounterv1.ListEncountersRequest{After: after, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list.Encounters {
			got, after = append(got, e.Encounter), e.Encounter
		}
		if !list.More {
			break
		}
	}
	if !slices.Equal(got, []string{"b", "e"}) {
		t.Errorf("listed %v", got)
	}
}

// A Commit says which token gave its command, and the same request with a newer
// token is the same request.
func TestTheRecordSaysWhose(t *testing.T) {
	g := startGuarded(t)
	first, second := g.token(auth.Table{Table: "main", Role: auth.GM}), g.token(auth.Table{Table: "main", Role: auth.GM})
	req := &encounterv1.ExecuteRequest{RequestId: "c", Encounter: "bridge", Command: create("bridge")}
	for i, token := range []auth.Bearer{first, second} {
		got, err := encounterv1.NewEncounterServiceClient(g.dial(grpc.WithPerRPCCredentials(token))).Execute(t.Context(), proto.Clone(req).(*encounterv1.ExecuteRequest))
		if err != nil || got.Repeated != (i == 1) {
			t.Fatalf("%v, %v", got, err)
		}
	}
	g.play("main", "cellar", "kesh")
	tend := &injuryv1.TendRequest{RequestId: "rest", Command: &eventv1.Command{What: &eventv1.Command_Patient{
		Patient: &eventv1.PatientCommand{Deed: "long-rest", Patients: []string{"kesh"}}}}}
	for i, token := range []auth.Bearer{first, second} {
		got, err := injuryv1.NewInjuryServiceClient(g.dial(grpc.WithPerRPCCredentials(token))).Tend(t.Context(), proto.Clone(tend).(*injuryv1.TendRequest))
		if err != nil || got.Repeated != (i == 1) {
			t.Fatalf("%v, %v", got, err)
		}
	}
	s, err := encounterv1.NewEncounterServiceClient(g.open).Export(t.Context(), &encounterv1.ExportRequest{As: master, Encounter: "bridge"})
	if err != nil {
		t.Fatal(err)
	}
	commit, err := s.Recv()
	if err != nil {
		t.Fatal(err)
	}
	shown, err := auth.Show(string(first))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{shown.Claims.ID, "kim"} {
		if !strings.Contains(string(commit.Commit), text) {
			t.Errorf("the Commit does not say %q", text)
		}
	}
}
