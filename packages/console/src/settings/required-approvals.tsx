/** How many people must approve a change to public state, in each environment. Only owners may lower a number. */
import { type Environment, environments, type ProjectBody, requiredApprovalsMax } from '@holdfast/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAuthority } from '../api/authority.ts';
import { call } from '../api/http.ts';
import { projectsQuery } from '../api/queries.ts';
import { useTexts } from '../texts/index.ts';
import { useReleaseTexts } from '../texts/releases.ts';
import { useAction } from '../ui/action.ts';
import { Button, Field } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { undo } from '../ui/undo.ts';

const counts = Array.from({ length: requiredApprovalsMax + 1 }, (_, count) => count);
type Numbers = ProjectBody['requiredApprovals'];

export function RequiredApprovals({ project }: { project: ProjectBody }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const queries = useQueryClient();
  const { accountId, slug, requiredApprovals: stored } = project;
  const isOwner = useAuthority()?.role === 'owner';
  const [chosen, setChosen] = useState<Partial<Numbers>>({});
  const changed = environments.filter((env) => chosen[env] !== undefined && chosen[env] !== stored[env]);
  const set = async (next: Partial<Numbers>) => {
    await call('updateProject', { params: { accountId, slug }, body: { requiredApprovals: next } });
    await queries.invalidateQueries(projectsQuery(accountId));
    return r.requiredSaved;
  };
  const save = useAction(async () => {
    if (changed.length === 0) return;
    const said = await set(Object.fromEntries(changed.map((env) => [env, chosen[env]])));
    setChosen({});
    toast(said, isOwner ? { action: undo(() => set(Object.fromEntries(changed.map((env) => [env, stored[env]])))) } : {});
  });
  return (
    <section className="card">
      <h2>{r.required}</h2>
      <p className="hint">
        {r.requiredText} {r.requiredOwner}
      </p>
      <Form action={save}>
        <div className="field-pair">
          {environments.map((env) => (
            <Approvals
              key={env}
              env={env}
              count={chosen[env] ?? stored[env]}
              min={isOwner ? 0 : stored[env]}
              onChange={(count) => setChosen({ ...chosen, [env]: count })}
            />
          ))}
        </div>
        <Fault error={save.fault} />
        <Button type="submit" isBusy={save.isBusy} disabled={changed.length === 0}>
          {t.common.save}
        </Button>
      </Form>
    </section>
  );
}

interface ApprovalsProps {
  readonly env: Environment;
  readonly count: number;
  /** Lower numbers cannot be chosen. */
  readonly min: number;
  readonly onChange: (count: number) => void;
}

function Approvals({ env, count, min, onChange }: ApprovalsProps) {
  const t = useTexts();
  const r = useReleaseTexts();
  return (
    <Field label={t.environments[env]}>
      {(attributes) => (
        <select {...attributes} value={count} onChange={({ target }) => onChange(Number(target.value))}>
          {counts.map((one) => (
            <option key={one} value={one} disabled={one < min}>
              {one === 0 ? r.requiredNone : r.requiredCount(one)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
