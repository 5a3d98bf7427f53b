/** Whether documents with unusable feature flags are refused. */
import type { ProjectBody } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Fault } from '../ui/fault.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

export function FlagsCheck({ project: { accountId, slug, flagsCheck } }: { project: ProjectBody }) {
  const t = useTexts();
  const queries = useQueryClient();
  const isManager = may(useAuthority(), 'manage');
  const isOn = flagsCheck === 'enforce';
  const set = async (next: ProjectBody['flagsCheck']) => {
    await call('updateProject', { params: { accountId, slug }, body: { flagsCheck: next } });
    await queries.invalidateQueries(projectsQuery(accountId));
    return t.settings.saved;
  };
  const change = useAction(async () => {
    toast(await set(isOn ? 'off' : 'enforce'), { action: undo(() => set(flagsCheck)) });
  });
  return (
    <section className="card">
      <h2>{t.settings.flags}</h2>
      <label className="check switch-row">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          disabled={!isManager || change.isBusy}
          onChange={change.run}
        />
        <span>
          <b>{t.settings.flagsCheck}</b>
          <small>{t.settings.flagsText}</small>
        </span>
      </label>
      <Fault error={change.fault} />
    </section>
  );
}
