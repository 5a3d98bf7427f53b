/** Chooses environments that only owners and admins may change. */
import type { Environment, ProjectBody } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { may, useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { EnvironmentChecks } from '../ui/environment-checks.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

export function ProtectedEnvironments({ project }: { project: ProjectBody }) {
  const t = useTexts();
  const queries = useQueryClient();
  const { accountId, slug, protectedEnvironments } = project;
  const isManager = may(useAuthority(), 'manage_access');
  const [chosen, setChosen] = useState<readonly Environment[]>();
  const now = chosen ?? protectedEnvironments;
  const isChanged = [...now].sort().join() !== [...protectedEnvironments].sort().join();
  const protect = async (some: readonly Environment[]) => {
    await call('updateProject', { params: { accountId, slug }, body: { protectedEnvironments: [...some] } });
    await queries.invalidateQueries(projectsQuery(accountId));
    return t.settings.protectionSaved;
  };
  const save = useAction(async () => {
    if (!isChanged) return;
    const said = await protect(now);
    setChosen(undefined);
    toast(said, { action: undo(() => protect(protectedEnvironments)) });
  });
  return (
    <section className="card">
      <h2>{t.settings.protection}</h2>
      <p className="hint">{t.settings.protectionText}</p>
      <Form action={save}>
        <EnvironmentChecks
          label={t.settings.fields.protectedEnvironments}
          chosen={now}
          onChange={setChosen}
          isOptional
          {...(!isManager && { offered: [] })}
        />
        <Fault error={save.fault} />
        <Button type="submit" isBusy={save.isBusy} disabled={!isChanged}>
          {t.common.save}
        </Button>
      </Form>
    </section>
  );
}
