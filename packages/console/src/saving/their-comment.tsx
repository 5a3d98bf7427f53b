/** Somebody else's comment on the version that is merged. */
import type { StateRecord } from '../api/state.ts';
import { useTexts } from '../texts/index.ts';
import { Plain } from '../ui/plain.tsx';

export function TheirComment({ record: { comment } }: { record: Pick<StateRecord, 'comment'> }) {
  const t = useTexts();
  if (comment === null) return null;
  return (
    <p>
      {t.state.theirComment} <Plain>{comment}</Plain>
    </p>
  );
}
