package load

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/ops"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// commands append to the log; reads are those that take as much as a command.
// Every other method goes on as it comes.
var (
	commands = map[string]bool{
		encounterv1.EncounterService_Execute_FullMethodName: true,
		injuryv1.InjuryService_Tend_FullMethodName:          true,
	}
	reads = map[string]bool{
		encounterv1.EncounterService_PreviewRuling_FullMethodName: true,
		encounterv1.EncounterService_GetHistory_FullMethodName:    true,
		encounterv1.EncounterService_GetOptions_FullMethodName:    true,
		encounterv1.EncounterService_Explain_FullMethodName:       true,
		encounterv1.WhatIfService_Preview_FullMethodName:          true,
		encounterv1.WhatIfService_Compare_FullMethodName:          true,
		encounterv1.WhatIfService_ListContests_FullMethodName:     true, // with dry runs
		injuryv1.InjuryService_GetPatientHistory_FullMethodName:   true,
		injuryv1.PatientRecordService_ExplainDeed_FullMethodName:  true,
		encounterv1.ContentService_PutPack_FullMethodName:         true, // the check takes longer than the append
		encounterv1.ContentService_CheckPack_FullMethodName:       true,
		encounterv1.ContentService_ListContent_FullMethodName:     true,
	}
)

// defaultTable is the table of requests that name none.
const defaultTable = "main"

// Front is what stands before the services that callers reach: a gate for
// commands and one for heavy reads. It collects its own metrics.
type Front struct {
	commands, reads *Gate
	waited          *prometheus.HistogramVec
}

// NewFront makes a front with the limits of package limits.
func NewFront() *Front {
	f := &Front{waited: newWaited(),
		commands: New("commands", Limits{Least: limits.CommandsLeast, Start: limits.CommandsStart, Most: limits.CommandsMost, Each: limits.CommandsEach,
			Service: limits.CommandMillis * time.Millisecond, Wait: limits.QueueMillis * time.Millisecond}),
		reads: New("reads", Limits{Least: limits.ReadsLeast, Start: limits.ReadsStart, Most: limits.ReadsMost, Each: limits.CommandsEach,
			Service: limits.ReadMillis * time.Millisecond, Wait: limits.QueueMillis * time.Millisecond})}
	for _, g := range f.gates() {
		g.counts.waited = f.waited.WithLabelValues(g.name)
	}
	return f
}

func (f *Front) gates() []*Gate { return []*Gate{f.commands, f.reads} }

// Admit lets a call in: leave is to be called when it has been answered, and nil
// for methods that no gate is for. Errors are those of Gate.Enter.
func (f *Front) Admit(ctx context.Context, method string, req any) (leave func(), err error) {
	switch {
	case commands[method]:
		return f.commands.Enter(ctx, who(req))
	case reads[method]:
		return f.reads.Enter(ctx, who(req))
	}
	return nil, nil
}

// who reads from a request whose turn it takes: guards have seen to it by now that
// table and caller are what the token says.
func who(req any) (w Who) {
	w.Table = defaultTable
	if r, ok := req.(interface{ GetTable() string }); ok && r.GetTable() != "" {
		w.Table = r.GetTable()
	}
	if r, ok := req.(interface{ GetEncounter() string }); ok {
		w.Flow = r.GetEncounter()
	}
	if r, ok := req.(interface{ GetAs() *eventv1.Principal }); ok {
		w.Flow += "/" + r.GetAs().GetRole().String() + "/" + r.GetAs().GetName()
	}
	return w
}

// Part is how the load stands.
func (f *Front) Part() ops.Part { return part(f.gates()...) }

// Status is how the gates stand: commands, then reads.
func (f *Front) Status() []Status { return []Status{f.commands.Status(), f.reads.Status()} }
