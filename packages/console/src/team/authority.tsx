/** An authority: a role, and the environments that it changes. */
import { type Environment, environments } from '@holdfast/contract';
import { type ReactNode, useEffect, useRef } from 'react';
import { type Authority, type Given, isNarrowed, type Role } from '../api/authority.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { EnvironmentName, Notice } from '../ui/controls.tsx';
import { EnvironmentChecks } from '../ui/environment-checks.tsx';

const [useRoleLimitTexts] = textsOf('role-limits');

interface AuthorityFieldsProps<Name extends Role> {
  readonly roles: readonly Name[];
  readonly value: Given<Name>;
  readonly onChange: (value: Given<Name>) => void;
  /** Those that the user may give. */
  readonly offered?: readonly Environment[];
}

/** Chooses a role, and environments if they narrow the role. */
export function AuthorityFields<Name extends Role>(props: AuthorityFieldsProps<Name>) {
  const { roles, value, onChange, offered = environments } = props;
  const t = useTexts();
  const l = useRoleLimitTexts();
  const isWarned = value.environments !== null && isLimited(value.role);
  const narrowing = useRef<HTMLDivElement>(null);
  // The warning comes below the environment just ticked.
  useEffect(() => {
    if (isWarned) narrowing.current?.scrollIntoView({ block: 'nearest' });
  }, [isWarned]);
  const change = (role: Name) => onChange({ role, environments: isNarrowed(role) ? value.environments : null });
  return (
    <>
      <fieldset className="field checks">
        <legend>{t.team.role}</legend>
        <div className="choices">
          {roles.map((role) => (
            <label key={role} className="choice" data-chosen={value.role === role || undefined}>
              <input type="radio" name="role" checked={value.role === role} onChange={() => change(role)} />
              <span>
                <b>{t.team.roles[role]}</b>
                <small>{t.team.hints[role]}</small>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {isNarrowed(value.role) && (
        <div ref={narrowing}>
          <EnvironmentChecks
            label={t.team.where}
            chosen={value.environments ?? environments}
            offered={offered}
            onChange={(chosen) =>
              onChange({ ...value, environments: chosen.length === environments.length ? null : [...chosen] })
            }
          />
          {value.environments !== null && isLimited(value.role) && <Notice kind="warn">{l.lost[value.role]}</Notice>}
        </div>
      )}
    </>
  );
}

/** Whether some powers of a role need all environments: the dialog says so before such a role is given. */
const isLimited = (role: Role): role is 'admin' | 'support' => role === 'admin' || role === 'support';

/** What a new role may change at first: not production, unless the role needs all environments for its other powers. */
export function leastAuthority<Name extends Role>(role: Name, own: Pick<Authority, 'environments'>): Given<Name> {
  if (!isNarrowed(role)) return { role, environments: null };
  if (isLimited(role) || role === 'owner') return { role, environments: own.environments };
  return { role, environments: (own.environments ?? environments).filter((env) => env !== 'production') };
}

/** Somebody's role and environments, in a row. */
export function AuthorityBadges({ role, environments: narrowed, children }: Authority & { children?: ReactNode }) {
  const t = useTexts();
  return (
    <div className="row-badges">
      <span className={role === 'owner' || role === 'admin' ? 'badge accent' : 'badge'}>{t.team.roles[role]}</span>
      {isNarrowed(role) &&
        (narrowed === null ? (
          <span className="badge">{t.team.everywhere}</span>
        ) : (
          narrowed.map((env) => (
            <span className="badge" key={env}>
              <EnvironmentName env={env} />
            </span>
          ))
        ))}
      {children}
    </div>
  );
}
