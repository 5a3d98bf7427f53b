/** Whether documents with unusable feature flags are refused. */
import type { ProjectBody } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

export function FlagsCheck({ project: { accountId, slug, flagsCheck } }: { project: ProjectBody }) {
  const t = useTexts();
  const queries = useQueryClient();
  const isManager = may(useAuthority(), 'manage');
  const [chosen, setChosen] = useState<ProjectBody['flagsCheck']>();
  const next = chosen ?? flagsCheck;
  const isOn = next === 'enforce';
  const isChanged = next !== flagsCheck;
  const set = async (check: ProjectBody['flagsCheck']) => {
    await call('updateProject', { params: { accountId, slug }, body: { flagsCheck: check } });
    await queries.invalidateQueries(projectsQuery(accountId));
    return t.settings.saved;
  };
  const save = useAction(async () => {
    if (!isChanged) return;
    const said = await set(next);
    setChosen(undefined);
    toast(said, { action: undo(() => set(flagsCheck)) });
  });
  return (
    <section className="card">
      <h2>{t.settings.flags}</h2>
      <Form action={save}>
        <label className="check switch-row">
          <input
            type="checkbox"
            role="switch"
            aria-checked={isOn}
            checked={isOn}
            disabled={!isManager}
            onChange={({ target }) => setChosen(target.checked ? 'enforce' : 'off')}
          />
          <span>
            <b>{t.settings.flagsCheck}</b>
            <small>{t.settings.flagsText}</small>
          </span>
        </label>
        <Fault error={save.fault} />
        <Button type="submit" isBusy={save.isBusy} disabled={!isChanged}>
          {t.common.save}
        </Button>
      </Form>
    </section>
  );
}
