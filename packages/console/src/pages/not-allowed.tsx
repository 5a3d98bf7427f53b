/** Replaces a page that the user's role does not reach. */
import { Lock } from 'lucide-react';
import type { Role } from '../api/authority.ts';
import { useTexts } from '../texts/index.ts';
import { EmptyState, PageHeader } from '../ui/controls.tsx';

export function NotAllowed({ title, role }: { title: string; role: Role }) {
  const t = useTexts();
  return (
    <div className="page">
      <PageHeader title={title} />
      <EmptyState icon={<Lock />} title={t.team.notAllowed}>
        {t.team.notAllowedText(t.team.roles[role])}
      </EmptyState>
    </div>
  );
}
