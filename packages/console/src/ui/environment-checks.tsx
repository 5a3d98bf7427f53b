/** Chooses among the three environments. */
import { type Environment, environments } from '@holdfast/contract';
import { useTexts } from '../texts/index.ts';
import { EnvironmentName } from './controls.tsx';

interface EnvironmentChecksProps {
  readonly label: string;
  readonly chosen: readonly Environment[];
  readonly onChange: (chosen: readonly Environment[]) => void;
  /** Whether none may be chosen. */
  readonly isOptional?: boolean;
  /** The available ones. */
  readonly offered?: readonly Environment[];
}

export function EnvironmentChecks({ label, chosen, onChange, isOptional, offered = environments }: EnvironmentChecksProps) {
  const t = useTexts();
  return (
    <fieldset className="field checks">
      <legend>{label}</legend>
      {environments.map((env) => (
        <label key={env} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(env)}
            disabled={!offered.includes(env)}
            onChange={({ target }) =>
              onChange(environments.filter((one) => (one === env ? target.checked : chosen.includes(one))))
            }
          />
          <EnvironmentName env={env} />
        </label>
      ))}
      {chosen.length === 0 && !isOptional && <p className="fault">{t.keys.chooseOne}</p>}
    </fieldset>
  );
}
