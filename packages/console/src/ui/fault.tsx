/** A fault within a page. */
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { isLost } from '../api/connection.ts';
import { type Texts, useTexts } from '../texts/index.ts';
import { Button, EmptyState, Notice } from './controls.tsx';
import { refusalText } from './refusal-text.ts';

/** The fault, if there is one; `onRetry` offers to repeat a read. */
export function Fault({ error, onRetry, children }: { error: unknown; onRetry?: () => void; children?: ReactNode }) {
  const t = useTexts();
  if (error === undefined || error === null) return null;
  return (
    <Notice kind="bad" title={t.errors.title} action={onRetry && <Button onClick={onRetry}>{t.common.retry}</Button>}>
      {onRetry === undefined ? refusalText(t, error) : readFaultText(t, error)}
      {children}
    </Notice>
  );
}

/** In place of what could not be loaded. */
export function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts();
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff />}
        title={t.errors.notLoaded}
        action={<Button onClick={onRetry}>{t.common.retry}</Button>}
      >
        {readFaultText(t, error)}
      </EmptyState>
    </div>
  );
}

/** Why nothing could be read. Nobody typed anything that could be lost. */
const readFaultText = (t: Texts, error: unknown): string => (isLost(error) ? t.errors.unreachable : refusalText(t, error));
