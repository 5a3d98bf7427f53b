/** Says what this user may not do with a document, before anybody types. */
import type { Environment } from '@holdfast/contract';
import { useAuthority } from '../api/authority.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Notice } from '../ui/controls.tsx';
import type { Writing } from './writing.ts';

const [useReleaseTexts] = textsOf('releases');

export function ForbiddenNotice({ writing, env }: { writing: Writing; env: Environment }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const own = useAuthority();
  const { isForbidden, isProtected, isProposed, requiredApprovals } = writing;
  const name = t.environments[env];
  if (isForbidden && own !== undefined) {
    const role = t.team.roles[own.role];
    return (
      <Notice>
        {isProtected ? t.state.protectedFor(role, name) : t.state.forbiddenFor(role, name)} {isProposed && r.butPropose}
      </Notice>
    );
  }
  return requiredApprovals > 0 && isProposed ? <Notice>{r.needed(requiredApprovals, name)}</Notice> : null;
}
