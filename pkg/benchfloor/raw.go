package benchfloor

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // the codec that is wrapped
	"google.golang.org/grpc/mem"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// Raw is one message of a watch as it came.
type Raw []byte

// rawCodec gives what comes from a watch as it came, so that reading it costs next to
// nothing and every byte can be looked at.
type rawCodec struct{ encoding.CodecV2 }

func (c rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	if r, ok := v.(*Raw); ok {
		*r = data.Materialize()
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}

// WatchRaw opens a watch whose messages are read into a *Raw. It ends with ctx.
func WatchRaw(ctx context.Context, conn grpc.ClientConnInterface, req *encounterv1.WatchRequest) (grpc.ClientStream, error) {
	s, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, encounterv1.EncounterService_Watch_FullMethodName,
		grpc.ForceCodecV2(rawCodec{encoding.GetCodecV2("proto")}))
	if err == nil {
		err = s.SendMsg(req)
	}
	if err == nil {
		err = s.CloseSend()
	}
	return s, err
}
