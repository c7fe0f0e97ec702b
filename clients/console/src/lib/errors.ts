// What a refused call says, for people.
import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema } from '$client/gen/google/rpc/error_details_pb';
import { t } from './t';

export interface Refusal {
  text: string;
  reason: string;
  rule: string;
  code: Code;
}

export function refusal(err: unknown): Refusal {
  const e = ConnectError.from(err);
  const info = e.findDetails(ErrorInfoSchema)[0];
  let text = e.rawMessage || String(err);
  if (!info && (e.code === Code.Unknown || e.code === Code.Unavailable)) text = t('error.unreachable');
  return { text, reason: info?.reason ?? '', rule: info?.metadata.rule ?? '', code: e.code };
}

/** again tells whether the very same request may be sent again. */
export function again(err: unknown): boolean {
  const e = ConnectError.from(err);
  const info = e.findDetails(ErrorInfoSchema)[0];
  if (e.code === Code.Unavailable || e.code === Code.DeadlineExceeded) return true;
  if (e.code === Code.Aborted) return info?.reason === 'LOST_RACE';
  // Without a detail of the server's it did not come from the server: the line is cut.
  return info === undefined && (e.code === Code.Unknown || e.code === Code.Internal);
}
