/** The variants of a flag: names, values and the default. */
import type { JsonObject } from '@holdfast/json';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { RemoveButton, ValueField } from './fields.tsx';
import { defaultOf, variantsOf, withMember, withVariantRenamed } from './flag.ts';

const [useFlagTexts] = textsOf('flags');

interface VariantsProps {
  readonly flag: JsonObject;
  readonly onChange: (flag: JsonObject) => void;
}

export function Variants({ flag, onChange }: VariantsProps) {
  const f = useFlagTexts();
  const group = useId();
  const variants = variantsOf(flag);
  const fallback = defaultOf(flag);
  const setDefault = (name: string | undefined) => onChange(withMember(flag, 'defaultVariant', name));
  const add = () => {
    const number = Array.from({ length: 1_000 }, (_, at) => `variant-${at + 1}`).find(
      (name) => !Object.hasOwn(variants, name),
    );
    onChange(withMember(flag, 'variants', withMember(variants, number ?? '', sampleOf(variants))));
  };
  const remove = (name: string) => onChange(withMember(flag, 'variants', withMember(variants, name, undefined)));
  return (
    <section className="card">
      <h2>{f.variants}</h2>
      <p className="hint">{f.variantsText}</p>
      <ul className="variants">
        <li className="variant variant-heads" aria-hidden="true">
          <span>{f.variantName}</span>
          <span>{f.value}</span>
        </li>
        {Object.entries(variants).map(([name, value]) => (
          <li className="variant" key={name}>
            <VariantName name={name} flag={flag} onChange={onChange} />
            <div data-head={f.value}>
              <ValueField
                label={`${f.value}: ${name}`}
                value={value}
                onValue={(next) => onChange(withMember(flag, 'variants', withMember(variants, name, next)))}
              />
            </div>
            <label className="check variant-default">
              <input
                type="radio"
                name={group}
                aria-label={f.isDefault(name)}
                checked={name === fallback}
                onChange={() => setDefault(name)}
              />
              {f.default}
            </label>
            <RemoveButton label={f.removeVariant(name)} onClick={() => remove(name)} />
          </li>
        ))}
      </ul>
      <div className="flag-variants-end">
        <Button size="small" icon={<Plus />} onClick={add}>
          {f.addVariant}
        </Button>
        <label className="check">
          <input type="radio" name={group} checked={fallback === undefined} onChange={() => setDefault(undefined)} />
          {f.noDefault}
        </label>
      </div>
    </section>
  );
}

/** A value of the type of the other variants. */
function sampleOf(variants: JsonObject): string | number | boolean {
  const [first] = Object.values(variants);
  if (typeof first === 'number') return first;
  return typeof first === 'boolean' ? first : '';
}

/** The name of a variant. It is applied when the field is left, in the rules too. */
function VariantName({ name, flag, onChange }: VariantsProps & { name: string }) {
  const f = useFlagTexts();
  const [typed, setTyped] = useState(name);
  const id = useId();
  const isTaken = typed !== name && Object.hasOwn(variantsOf(flag), typed);
  const rename = () => {
    if (typed === '' || isTaken) setTyped(name);
    else if (typed !== name) onChange(withVariantRenamed(flag, name, typed));
  };
  return (
    <div data-head={f.variantName}>
      <input
        aria-label={`${f.variantName}: ${name}`}
        aria-invalid={isTaken || undefined}
        aria-describedby={isTaken ? id : undefined}
        className="mono"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={rename}
        onKeyDown={({ key }) => key === 'Enter' && rename()}
      />
      {isTaken && (
        <p className="fault" id={id}>
          {f.taken(typed)}
        </p>
      )}
    </div>
  );
}
