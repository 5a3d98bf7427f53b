/** Pages, and parts of them, that the user's authority does not reach: they say so, and why. */
import { hasPower, type Power } from '@holdfast/contract';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Authority, may, useAuthority } from '../api/authority.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { EmptyState, Notice } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';

const [useRoleLimitTexts] = textsOf('role-limits');

/** Returns why an authority has no power: it is not one of the role, or not everywhere. */
function useReason(): (own: Authority, power: Power) => string {
  const t = useTexts();
  const l = useRoleLimitTexts();
  return ({ role, environments }, power) =>
    hasPower(role, power)
      ? l.narrowed(t.team.roles[role], (environments ?? []).map((env) => t.environments[env]).join(', '))
      : l.role(t.team.roles[role]);
}

/** Replaces a page. */
export function NotAllowed({ title, own, power }: { title: string; own: Authority; power: Power }) {
  const t = useTexts();
  const reasonOf = useReason();
  return (
    <div className="page">
      <PageHeader title={title} />
      <EmptyState icon={<Lock />} title={t.team.notAllowed}>
        {reasonOf(own, power)}
      </EmptyState>
    </div>
  );
}

/** Parts of a page whose fields and buttons need a power. Without it, they are shown, disabled. */
export function ChangeableWith({ power, children }: { power: Power; children: ReactNode }) {
  const l = useRoleLimitTexts();
  const own = useAuthority();
  const reasonOf = useReason();
  if (own === undefined || may(own, power)) return children;
  return (
    <>
      <Notice title={l.readOnly}>{reasonOf(own, power)}</Notice>
      <fieldset disabled className="unchangeable" aria-label={l.readOnly}>
        {children}
      </fieldset>
    </>
  );
}
