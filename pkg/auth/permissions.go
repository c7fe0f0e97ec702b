package auth

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// place says what of a request names where it leads.
type place int

const (
	nowhere     place = iota // it leads to no table: what it asks is computed
	onTable                  // it has a table
	inEncounter              // it has a table and an encounter
)

// permission is what a method needs.
type permission struct {
	// scope that the token must allow; empty where every token will do.
	scope Scope
	// admin: the scope Admin does as well.
	admin bool
	// roles that the call may be made as.
	roles []eventv1.Principal_Role
	// place that must be the token's.
	place place
	// acts: the call does something, which nobody does by looking as another.
	acts bool
	// free: no token is asked for.
	free bool
}

var (
	everyone = []eventv1.Principal_Role{eventv1.Principal_ROLE_GM, eventv1.Principal_ROLE_PLAYER, eventv1.Principal_ROLE_SPECTATOR}
	players  = []eventv1.Principal_Role{eventv1.Principal_ROLE_GM, eventv1.Principal_ROLE_PLAYER}
	masters  = []eventv1.Principal_Role{eventv1.Principal_ROLE_GM}
)

// permissions are all methods that callers may call. What is not here is refused,
// with a token or without.
var permissions = map[string]permission{
	"/skald.encounter.v1.EncounterService/Execute":        {scope: Execute, roles: players, place: inEncounter, acts: true}, // see commandScopes
	"/skald.encounter.v1.EncounterService/PreviewRuling":  {scope: Rule, roles: masters, place: inEncounter},
	"/skald.encounter.v1.EncounterService/GetState":       {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/GetOptions":     {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/GetNext":        {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/GetHistory":     {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/GetDifference":  {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/Explain":        {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/Watch":          {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/ListEncounters": {scope: Watch, roles: everyone, place: onTable},
	"/skald.encounter.v1.EncounterService/Export":         {scope: Export, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.EncounterService/Import":         {scope: Content, admin: true, roles: masters, place: inEncounter, acts: true},

	"/skald.encounter.v1.RecordService/GetHead":       {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.RecordService/GetTranscript": {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.RecordService/GetHeaders":    {scope: Export, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.RecordService/ProveHead":     {scope: Export, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.RecordService/GetKeys":       {},
	"/skald.encounter.v1.RecordService/GetCheckpoint": {scope: Witness, admin: true},

	"/skald.encounter.v1.WhatIfService/ListContests": {scope: Watch, roles: everyone, place: inEncounter},
	"/skald.encounter.v1.WhatIfService/Preview":      {scope: Watch, roles: players, place: inEncounter},
	"/skald.encounter.v1.WhatIfService/Compare":      {scope: Watch, roles: everyone, place: inEncounter},

	"/skald.encounter.v1.PersonService/SetPerson":    {scope: Execute, admin: true, roles: players, place: onTable, acts: true},
	"/skald.encounter.v1.PersonService/ListPersons":  {scope: Watch, roles: everyone, place: onTable},
	"/skald.encounter.v1.PersonService/ForgetPerson": {scope: Execute, admin: true, roles: players, place: onTable, acts: true},

	"/skald.encounter.v1.ContentService/PutPack":     {scope: Content, admin: true, roles: masters, place: onTable, acts: true},
	"/skald.encounter.v1.ContentService/CheckPack":   {scope: Content, admin: true, roles: masters, place: onTable, acts: true},
	"/skald.encounter.v1.ContentService/GetPack":     {scope: Watch, roles: players, place: onTable},
	"/skald.encounter.v1.ContentService/ListPacks":   {scope: Watch, roles: players, place: onTable},
	"/skald.encounter.v1.ContentService/ListContent": {scope: Watch, roles: players, place: onTable},
	"/skald.encounter.v1.ContentService/CheckSheet":  {scope: Watch, roles: players, place: onTable},

	"/skald.injury.v1.InjuryService/Tend":              {scope: Tend, roles: players, place: onTable, acts: true},
	"/skald.injury.v1.InjuryService/GetPatient":        {scope: Watch, roles: everyone, place: onTable},
	"/skald.injury.v1.InjuryService/ListPatients":      {scope: Watch, roles: everyone, place: onTable},
	"/skald.injury.v1.InjuryService/GetPatientHistory": {scope: Watch, roles: everyone, place: onTable},

	"/skald.injury.v1.PatientRecordService/ExplainDeed":   {scope: Watch, roles: everyone, place: onTable},
	"/skald.injury.v1.PatientRecordService/ExportPatient": {scope: Export, roles: everyone, place: onTable},
	"/skald.injury.v1.PatientRecordService/ExportTable":   {scope: Export, roles: masters, place: onTable},

	"/skald.dice.v1.DiceService/Roll":   {scope: Roll},
	"/skald.dice.v1.DiceService/Odds":   {scope: Roll},
	"/skald.dice.v1.DiceService/Verify": {scope: Export},

	"/skald.rules.v1.RulesService/ListSystems":  {},
	"/skald.rules.v1.RulesService/ListRules":    {},
	"/skald.rules.v1.RulesService/GetRule":      {},
	"/skald.rules.v1.RulesService/ListSettings": {},
	"/skald.rules.v1.RulesService/ListWords":    {},
	"/skald.rules.v1.RulesService/CheckSheet":   {},

	"/skald.ops.v1.OperationsService/GetStatus": {scope: Admin},

	"/skald.ops.v1.TableService/ListTables":   {scope: Admin},
	"/skald.ops.v1.TableService/DeleteTable":  {scope: Admin},
	"/skald.ops.v1.TableService/GetTombstone": {scope: Admin},

	"/grpc.health.v1.Health/Check":                                   {free: true},
	"/grpc.health.v1.Health/List":                                    {free: true},
	"/grpc.health.v1.Health/Watch":                                   {free: true},
	"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo":      {free: true},
	"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": {free: true},
}

// commandScopes are what the commands of Execute need, by the name of their field.
var commandScopes = map[protoreflect.Name]Scope{
	"create": Execute, "add": Execute, "remove": Execute, "edit": Execute, "start": Execute, "take": Execute, "together": Execute, "answer": Execute,
	"end_turn": Execute, "end": Execute, "set": Execute, "order": Execute, "reveal": Execute, "patient": Tend,
	"contest": Execute, "take_back": Execute, "answer_contest": Execute, "settle": Rule, "save": Rule,
	"revert": Rule, "redo": Rule, "amend": Rule,
	"add_entropy": Execute, "close_entropy": Execute, "name_beacon": Execute, "open_rolls": Execute, "open_dice": Execute,
}

// scopeOf is what a call needs: that of its method, or that of its command. A
// command that is not listed needs what nobody has by itself.
func scopeOf(p permission, req proto.Message) Scope {
	r, ok := req.(*encounterv1.ExecuteRequest)
	if !ok || r.GetCommand().GetWhat() == nil {
		return p.scope
	}
	m := r.Command.ProtoReflect()
	if scope, ok := commandScopes[m.WhichOneof(m.Descriptor().Oneofs().ByName("what")).Name()]; ok {
		return scope
	}
	return Admin
}

// elsewhere is the answer to a request about another table or encounter than the
// token's: what the service says of one that does not exist. What would make
// something there is refused, whether it is there or not.
func elsewhere(req proto.Message) (proto.Message, error) {
	switch r := req.(type) {
	case *encounterv1.ListEncountersRequest:
		return &encounterv1.ListEncountersResponse{}, nil
	case *encounterv1.ListPersonsRequest:
		return &encounterv1.ListPersonsResponse{}, nil
	case *encounterv1.ListPacksRequest:
		return &encounterv1.ListPacksResponse{}, nil
	case *encounterv1.GetPackRequest:
		return nil, unknownPack(r.Pack)
	case *encounterv1.ListContentRequest:
		if len(r.Packs) == 0 {
			return &encounterv1.ListContentResponse{}, nil
		}
		return nil, unknownPack(r.Packs[0])
	case *encounterv1.CheckSheetRequest:
		if len(r.Packs) == 0 {
			return nil, fault.Field("packs", "missing")
		}
		return nil, unknownPack(r.Packs[0])
	case *injuryv1.ListPatientsRequest:
		return &injuryv1.ListPatientsResponse{}, nil
	case *injuryv1.GetPatientRequest:
		return nil, unknownPatient(r.Patient)
	case *injuryv1.GetPatientHistoryRequest:
		return nil, unknownPatient(r.Patient)
	case *injuryv1.ExplainDeedRequest:
		return nil, unknownPatient(r.Patient)
	case *injuryv1.ExportPatientRequest:
		return nil, unknownPatient(r.Patient)
	case *injuryv1.ExportTableRequest:
		return nil, fault.New(fault.NotFound, "UNKNOWN_TABLE", "there is no such table, or not all of it is the caller's")
	case *injuryv1.TendRequest:
		if p := r.GetCommand().GetPatient(); p.GetDeed() != "enrol" && len(p.GetPatients()) > 0 {
			return nil, unknownPatient(p.Patients[0])
		}
	case *encounterv1.ExecuteRequest:
		if r.GetCommand().GetCreate() == nil {
			return nil, unknownEncounter(r.Encounter)
		}
	case *encounterv1.ImportRequest: // makes something there
	case ofPatient:
		if r.GetPatient() != "" {
			return nil, unknownPatient(r.GetPatient())
		}
		return nil, unknownEncounter(r.GetEncounter())
	case interface{ GetEncounter() string }:
		return nil, unknownEncounter(r.GetEncounter())
	}
	return nil, denied(ReasonElsewhere, "the token is for another table or other encounters")
}
