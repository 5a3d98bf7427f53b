/** A fault within a page. */
import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.ts';
import { Button, Notice } from './controls.tsx';
import { refusalText } from './refusal-text.ts';

/** The fault, if there is one; `onRetry` offers another try. */
export function Fault({ error, onRetry, children }: { error: unknown; onRetry?: () => void; children?: ReactNode }) {
  const t = useTexts();
  if (error === undefined || error === null) return null;
  return (
    <Notice kind="bad" title={t.errors.title} action={onRetry && <Button onClick={onRetry}>{t.common.retry}</Button>}>
      {refusalText(t, error)}
      {children}
    </Notice>
  );
}
