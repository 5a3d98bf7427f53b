/** Says that a document is read-only for this user, before anybody types. */
import type { Environment } from '@holdfast/contract';
import { useAuthority } from '../api/authority.ts';
import { useTexts } from '../texts/index.ts';
import { Notice } from '../ui/controls.tsx';
import type { Writing } from './writing.ts';

export function ForbiddenNotice({ writing, env }: { writing: Writing; env: Environment }) {
  const t = useTexts();
  const own = useAuthority();
  if (!writing.isForbidden || own === undefined) return null;
  const [role, name] = [t.team.roles[own.role], t.environments[env]];
  return <Notice>{writing.isProtected ? t.state.protectedFor(role, name) : t.state.forbiddenFor(role, name)}</Notice>;
}
