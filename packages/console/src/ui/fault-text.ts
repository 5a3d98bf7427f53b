/** Describes faults in the reader's language, unless the service's own words are better. */
import { isHoldfastError } from '@holdfast/client';
import { denialReasons, denials } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { isLost } from '../api/connection.ts';
import type { VisitorTexts } from '../texts/visitor-en.ts';
import { plain } from './plain-text.ts';

type FaultTexts = Pick<VisitorTexts, 'errors' | 'session'>;

export function faultText(t: FaultTexts, error: unknown): string {
  if (isLost(error)) return t.errors.offline;
  if (isHoldfastError(error, 'signed_out')) return t.session.expired;
  if (isHoldfastError(error, 'access_denied')) return deniedText(t, error.message);
  if (!(error instanceof ApiError)) return plain(error instanceof Error ? error.message : String(error));
  if (error.status === 429) return t.errors.rateLimited('60');
  if (error.status === 402) return t.errors.quota;
  if (error.status === 503) return t.errors.unavailable;
  return plain(error.message);
}

/** Why the login page refused somebody, in the reader's language if it is one of our reasons. */
function deniedText(t: FaultTexts, description: string): string {
  const reason = denialReasons.find((one) => denials[one] === description);
  return reason === undefined ? plain(description) : t.session.denied[reason];
}
