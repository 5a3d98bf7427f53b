/** What stands in the place of a page that is not there, or could not be shown. */

import { ApiError } from '@holdfast/contract/call';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';

import { useTexts } from '../texts/index.ts';
import { EmptyState } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';

/** What is at an address that leads nowhere. */
export function NotFound() {
  const t = useTexts();
  return (
    <div className="page">
      <EmptyState
        isPage
        icon={<Search />}
        title={t.errors.notFound}
        action={
          <Link to="/" className="button primary">
            {t.errors.goHome}
          </Link>
        }
      >
        {t.errors.notFoundText}
      </EmptyState>
    </div>
  );
}

/** What is in the place of a page that could not be shown. */
export function Failed({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <div className="page">
      <Fault error={error} onRetry={reset} />
    </div>
  );
}

/** Whether a query failed because what it asks for does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || (error.status === 400 && error.code === 'validation_error'));
