/** Whether documents with unusable feature flags are refused. The switch applies immediately. */
import type { ProjectBody } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Fault } from '../ui/fault.tsx';
import { Setting } from '../ui/setting.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

export function FlagsCheck({ project: { accountId, slug, flagsCheck } }: { project: ProjectBody }) {
  const t = useTexts();
  const queries = useQueryClient();
  const isManager = may(useAuthority(), 'manage');
  const set = async (check: ProjectBody['flagsCheck']) => {
    await call('updateProject', { params: { accountId, slug }, body: { flagsCheck: check } });
    await queries.invalidateQueries(projectsQuery(accountId));
    return check === 'enforce' ? t.settings.flagsRefused : t.settings.flagsAllowed;
  };
  const turn = useAction(async (check: ProjectBody['flagsCheck']) => {
    toast(await set(check), { action: undo(() => set(flagsCheck)) });
  });
  const isOn = flagsCheck === 'enforce';
  return (
    <Setting title={t.settings.flags} text={t.settings.flagsText}>
      <label className="check switch-row">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          disabled={!isManager || turn.isBusy}
          onChange={() => turn.run(isOn ? 'off' : 'enforce')}
        />
        <b>{t.settings.flagsCheck}</b>
      </label>
      <Fault error={turn.fault} />
    </Setting>
  );
}
