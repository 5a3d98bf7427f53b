/** All flags of an environment: state, and who gets what. */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { StateKey } from '../api/state.ts';
import type { Finding } from '../json-text/document-text.ts';
import type { FlagTexts } from '../texts/flags-en.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { missingVariant } from '../texts/violations.ts';
import { EmptyState } from '../ui/controls.tsx';
import { Filters, SearchField, Shown } from '../ui/filters.tsx';
import { Plain } from '../ui/plain.tsx';
import { plain } from '../ui/plain-text.ts';
import { Below, type Column, Table } from '../ui/table.tsx';
import { descriptionOf, isFlag, isOn, withState } from './flag.ts';
import { audienceOf } from './words.ts';

const [useFlagTexts] = textsOf('flags');

interface FlagListProps {
  readonly stateKey: StateKey;
  readonly flags: JsonObject;
  readonly findings: readonly Finding[];
  readonly onChange: (key: string, flag: JsonObject) => void;
}

/** The faults of a flag. */
export const findingsOf = (findings: readonly Finding[], key: string): readonly Finding[] =>
  findings.filter(({ flag }) => flag === key);

export function FlagList({ stateKey, flags, findings, onChange }: FlagListProps) {
  const f = useFlagTexts();
  const [text, setText] = useState('');
  const wanted = text.trim().toLocaleLowerCase();
  const all = Object.entries(flags);
  const rows = all.filter(([key, flag]) =>
    `${key} ${isFlag(flag) ? (descriptionOf(flag) ?? '') : ''}`.toLocaleLowerCase().includes(wanted),
  );
  return (
    <>
      <Filters>
        <SearchField label={f.find} value={text} onChange={setText} />
        <Shown>
          {f.count(formatNumber(rows.length))} ·{' '}
          {f.countOn(formatNumber(rows.filter(([, flag]) => isFlag(flag) && isOn(flag)).length))}
        </Shown>
      </Filters>
      {rows.length === 0 ? (
        <EmptyState icon={<Search />} title={f.noMatch}>
          {f.noMatchText}
        </EmptyState>
      ) : (
        <Table
          label={f.flag}
          rows={rows}
          keyOf={([key]) => key}
          columns={columnsOf(f, { stateKey, findings, onChange })}
          isLinked
        />
      )}
    </>
  );
}

type Row = [key: string, flag: JsonValue];

function columnsOf(
  f: FlagTexts,
  { stateKey: { slug, env }, findings, onChange }: Omit<FlagListProps, 'flags'>,
): [Column<Row>, ...Column<Row>[]] {
  return [
    {
      name: f.flag,
      cell: ([key, flag]) => <FlagName {...{ slug, env, flag, findings }} flagKey={key} />,
    },
    {
      name: f.state,
      isPlain: true,
      cell: ([key, flag]) =>
        isFlag(flag) ? (
          <input
            type="checkbox"
            role="switch"
            aria-label={f.switchOf(plain(key))}
            aria-checked={isOn(flag)}
            checked={isOn(flag)}
            onChange={({ target }) => onChange(key, withState(flag, target.checked))}
          />
        ) : null,
    },
    {
      name: f.audience,
      isPlain: true,
      cell: ([, flag]) => <Audience flag={flag} />,
    },
  ];
}

interface FlagNameProps extends Pick<StateKey, 'slug' | 'env'> {
  readonly flagKey: string;
  readonly flag: JsonValue;
  /** Of all flags. */
  readonly findings: readonly Finding[];
}

/** A flag's name, description and first fault. */
function FlagName({ slug, env, flagKey, flag, findings }: FlagNameProps) {
  const f = useFlagTexts();
  const wrong = isFlag(flag) ? audienceOf(f, flag).flatMap((line) => line.wrong) : [];
  // A message already shown below a wrong name is not repeated.
  const isRepeated = ({ message }: Finding) => wrong.some((name) => missingVariant(message) === name);
  const first = findingsOf(findings, flagKey).find((finding) => !isRepeated(finding));
  const description = isFlag(flag) ? descriptionOf(flag) : undefined;
  return (
    <>
      <Link to="/p/$slug/$env/flags" params={{ slug, env }} search={{ flag: flagKey }}>
        <Plain>{flagKey}</Plain>
      </Link>
      {description !== undefined && (
        <Below>
          <Plain>{description}</Plain>
        </Below>
      )}
      {first !== undefined && (
        <small className="flag-problem" data-severity={first.severity}>
          {plain(first.message)}
        </small>
      )}
    </>
  );
}

/** Who gets what, a line for each rule. */
function Audience({ flag }: { flag: JsonValue }) {
  const f = useFlagTexts();
  if (!isFlag(flag)) return <span className="hint">{f.unreadable}</span>;
  return (
    <ul className="audience" data-off={!isOn(flag) || undefined}>
      {audienceOf(f, flag).map(({ text, wrong }) => (
        <li key={text}>
          {text}
          {wrong.map((name) => (
            <small key={name} className="flag-problem" data-severity="warning">
              {f.notVariant(plain(name))}
            </small>
          ))}
        </li>
      ))}
    </ul>
  );
}
