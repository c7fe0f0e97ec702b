package encounter

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/shards"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/persons"
)

// ReasonNoPersons is the reason of calls about names where there is no folder for
// them: several processes of the service need one that they share.
const ReasonNoPersons = "PERSONS_OFF"

// personFront keeps names. It is no matter of a stream: only whether the table is
// there is asked of it.
type personFront struct {
	encounterv1.UnimplementedPersonServiceServer
	routes *shards.Routes[*Service]
	folder *persons.Folder // nil: there is none
}

// personsOf is where names are kept; nil where nobody says where several processes
// share them.
func (c RouterConfig) personsOf() *persons.Folder {
	if c.PersonsDir == "" && c.Crew != nil {
		return nil
	}
	return persons.In(cmp.Or(c.PersonsDir, filepath.Join(c.DataDir, "persons")))
}

// DropPersons forgets the names of everybody at a table.
func (r *Router) DropPersons(table string) error {
	if f := r.cfg.personsOf(); f != nil {
		return f.Drop(table)
	}
	return nil
}

// may holds who asks against whose name it is.
func (f *personFront) may(as *eventv1.Principal, table, id string) error {
	if _, err := aggregate.Table(table); err != nil {
		return err
	}
	if f.folder == nil {
		return fault.New(fault.Illegal, ReasonNoPersons, "this server keeps no names of persons")
	}
	if err := aggregate.CheckPrincipal(as); err != nil {
		return err
	}
	if err := text.Name(id); err != nil {
		return fault.Field("person.id", "%v", err)
	}
	if as.Role != eventv1.Principal_ROLE_GM && (as.Role != eventv1.Principal_ROLE_PLAYER || as.Name != id) {
		return fault.New(fault.Denied, "NOT_YOURS", "only a game master names somebody else")
	}
	return nil
}

// SetPerson says what somebody is called.
func (f *personFront) SetPerson(ctx context.Context, req *encounterv1.SetPersonRequest) (*encounterv1.SetPersonResponse, error) {
	table := aggregate.TableOr(req.Table)
	return shards.Unary(ctx, f.routes, table, req, func(_ *Service, _ context.Context, req *encounterv1.SetPersonRequest) (*encounterv1.SetPersonResponse, error) {
		if err := f.may(req.As, table, req.Person.GetId()); err != nil {
			return nil, err
		}
		if err := text.Name(req.Person.GetName()); err != nil {
			return nil, fault.Field("person.name", "%v", err)
		}
		return &encounterv1.SetPersonResponse{}, stored(f.folder.Set(table, persons.Person{ID: req.Person.Id, Name: req.Person.Name}))
	})
}

// ListPersons lists the people of a table.
func (f *personFront) ListPersons(ctx context.Context, req *encounterv1.ListPersonsRequest) (*encounterv1.ListPersonsResponse, error) {
	table := aggregate.TableOr(req.Table)
	return shards.Unary(ctx, f.routes, table, req, func(_ *Service, _ context.Context, req *encounterv1.ListPersonsRequest) (*encounterv1.ListPersonsResponse, error) {
		if err := aggregate.CheckPrincipal(req.As); err != nil {
			return nil, err
		}
		out := &encounterv1.ListPersonsResponse{}
		if f.folder == nil {
			return out, nil
		}
		all, err := f.folder.List(table)
		for _, p := range all {
			out.Persons = append(out.Persons, &encounterv1.Person{Id: p.ID, Name: p.Name})
		}
		return out, stored(err)
	})
}

// ForgetPerson removes a name.
func (f *personFront) ForgetPerson(ctx context.Context, req *encounterv1.ForgetPersonRequest) (*encounterv1.ForgetPersonResponse, error) {
	table := aggregate.TableOr(req.Table)
	return shards.Unary(ctx, f.routes, table, req, func(_ *Service, _ context.Context, req *encounterv1.ForgetPersonRequest) (*encounterv1.ForgetPersonResponse, error) {
		if err := f.may(req.As, table, req.Id); err != nil {
			return nil, err
		}
		was, err := f.folder.Forget(table, req.Id)
		return &encounterv1.ForgetPersonResponse{Forgotten: was}, stored(err)
	})
}

// stored words what the file system says.
func stored(err error) error {
	if _, ok := fault.As(err); ok || err == nil {
		return err
	}
	return fault.Wrap(fault.Unavailable, aggregate.StoreUnavailable, err, "the names of persons can not be read or written")
}
