/** Replaces a page that does not exist. */

import { ApiError } from '@holdfast/contract/call';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useTexts } from '../texts/index.ts';
import { EmptyState } from '../ui/controls.tsx';

/** Shown at an unknown address. */
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

/** Whether a query failed because its subject does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || (error.status === 400 && error.code === 'validation_error'));
