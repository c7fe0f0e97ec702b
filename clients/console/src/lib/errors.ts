// What a refused call says, for people.
import { SkaldError, type Code } from '$client/errors';
import { t } from './t';

export interface Refusal {
  text: string;
  reason: string;
  rule: string;
  code: Code;
}

export function refusal(err: unknown): Refusal {
  const e = SkaldError.from(err);
  return { text: (!e.fromSkald && e.again ? t('error.unreachable') : e.message) || String(err), reason: e.reason, rule: e.rule, code: e.code };
}
