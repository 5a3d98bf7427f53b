/** What the user's authority does not reach on a player's page, said in place of the missing buttons. */
import { type Environment, environments, hasPower } from '@holdfast/contract';
import { may, useAuthority } from '../../api/authority.ts';
import { textsOf, useTexts } from '../../texts/index.ts';

const [usePlayerTexts] = textsOf('players');

/** Says why players cannot be blocked, signed out or erased here; nothing if they can. */
export function AccessLimit() {
  const t = useTexts();
  const p = usePlayerTexts();
  const own = useAuthority();
  if (own === undefined || may(own, 'support_players')) return null;
  const role = t.team.roles[own.role];
  return (
    <p className="hint player-limit">
      {hasPower(own.role, 'support_players')
        ? p.accessNarrowed(role, (own.environments ?? []).map((env) => t.environments[env]).join(', '))
        : p.accessNotOf(role)}
    </p>
  );
}

/** Says why the save of an environment cannot be changed; nothing if it can. */
export function SaveLimit({ env }: { env: Environment }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const own = useAuthority();
  if (own === undefined || may(own, 'write_saves', env)) return null;
  const elsewhere = environments.filter((one) => may(own, 'write_saves', one)).map((one) => t.environments[one]);
  return (
    <p className="hint player-limit">{p.saveLimit(t.team.roles[own.role], t.environments[env], elsewhere.join(', '))}</p>
  );
}
