/** How many people must approve a change to public state, in each environment. Only owners may lower a number. */
import { type Environment, environments, type ProjectBody, requiredApprovalsMax } from '@holdfast/contract';
import { useAuthority } from '../api/authority.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Field } from '../ui/controls.tsx';
import { Setting } from '../ui/setting.tsx';

const [useReleaseTexts] = textsOf('releases');

const counts = Array.from({ length: requiredApprovalsMax + 1 }, (_, count) => count);
type Numbers = ProjectBody['requiredApprovals'];

interface RequiredApprovalsProps {
  readonly stored: Numbers;
  readonly chosen: Partial<Numbers>;
  readonly onChange: (chosen: Partial<Numbers>) => void;
}

export function RequiredApprovals({ stored, chosen, onChange }: RequiredApprovalsProps) {
  const r = useReleaseTexts();
  const isOwner = useAuthority()?.role === 'owner';
  return (
    <Setting title={r.required} text={`${r.requiredText} ${r.requiredOwner}`}>
      <div className="field-pair">
        {environments.map((env) => (
          <Approvals
            key={env}
            env={env}
            count={chosen[env] ?? stored[env]}
            min={isOwner ? 0 : stored[env]}
            onChange={(count) => onChange({ ...chosen, [env]: count })}
          />
        ))}
      </div>
    </Setting>
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
