/** What went wrong, in words of the reader's language where the service's own are not better. */
import { isHoldfastError } from '@holdfast/client';
import { denialReasons, denials } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import type { ReactNode } from 'react';

import { type Texts, useTexts } from '../texts/index.ts';
import { Button, Notice } from './controls.tsx';
import { plain } from './plain.tsx';

export function faultText(t: Texts, error: unknown): string {
  const isUnreachable = isHoldfastError(error, 'network_error') || isHoldfastError(error, 'timeout');
  if (error instanceof TypeError || isUnreachable) return t.errors.offline;
  if (isHoldfastError(error, 'signed_out')) return t.session.expired;
  if (isHoldfastError(error, 'access_denied')) return deniedText(t, error.message);
  if (!(error instanceof ApiError)) return plain(error instanceof Error ? error.message : String(error));
  if (error.status === 429) return t.errors.rateLimited('60');
  if (error.status === 402) return t.errors.quota;
  if (error.status === 503) return t.errors.unavailable;
  return plain(error.message);
}

/** Why the login page did not let somebody in: in the reader's language, where it is one of our own reasons. */
function deniedText(t: Texts, description: string): string {
  const reason = denialReasons.find((one) => denials[one] === description);
  return reason === undefined ? plain(description) : t.session.denied[reason];
}

/** The fault, if there is one; `onRetry` offers another try. */
export function Fault({ error, onRetry, children }: { error: unknown; onRetry?: () => void; children?: ReactNode }) {
  const t = useTexts();
  if (error === undefined || error === null) return null;
  return (
    <Notice kind="bad" title={t.errors.title} action={onRetry && <Button onClick={onRetry}>{t.common.retry}</Button>}>
      {faultText(t, error)}
      {children}
    </Notice>
  );
}
