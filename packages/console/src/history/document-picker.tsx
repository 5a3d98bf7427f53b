/** The choice of a document to compare with: the current version of an environment, another version, or a proposal. */
import { type Environment, environments } from '@holdfast/contract';
import type { ProposalItem } from '../api/proposals.ts';
import { useSubject } from '../api/signed-in.ts';
import { formatAgo, textsOf, useTexts } from '../texts/index.ts';
import { proposalName } from '../times/proposal-state.tsx';
import { authorName, type ListedVersion } from '../ui/authors.ts';
import { cut, plain } from '../ui/plain-text.ts';

const [useReleaseTexts] = textsOf('releases');
const [useHistoryTexts] = textsOf('history');

/** The choice as written in an address: a version by its number, a proposal by its id. */
export type Picked = { readonly version: number } | { readonly env: Environment } | { readonly proposal: string };

interface DocumentPickerProps {
  readonly id?: string;
  readonly label?: string;
  readonly value: Picked;
  readonly versions: readonly ListedVersion[];
  /** The environment of the versions, if others are offered too. */
  readonly versionsOf?: Environment;
  readonly environments?: readonly Environment[];
  readonly proposals?: readonly ProposalItem[];
  readonly onPick: (picked: Picked) => void;
}

/** Older versions can be chosen in the list of versions. */
const versionsMax = 200;
const commentCharactersMax = 48;
const shortened = (text: string): string => cut(plain(text), commentCharactersMax);

export function DocumentPicker(props: DocumentPickerProps) {
  const { id, label, value, versions, versionsOf, proposals = [], onPick } = props;
  const t = useTexts();
  const h = useHistoryTexts();
  const r = useReleaseTexts();
  const subject = useSubject();
  const offered = environments.filter((env) => props.environments?.includes(env));
  const listed = versions.slice(0, versionsMax);
  const isUnlisted = 'version' in value && !listed.some(({ version }) => version === value.version);
  const sayVersion = ({ version, comment, author, createdAt }: ListedVersion) =>
    [
      t.common.version(version),
      comment === null ? authorName(t, author, subject) : shortened(comment),
      formatAgo(createdAt),
    ].join(' · ');
  return (
    <select id={id} aria-label={label} value={textOf(value)} onChange={({ target }) => onPick(pickedOf(target.value))}>
      {offered.length > 0 && (
        <optgroup label={h.environments}>
          {offered.map((env) => (
            <option key={env} value={textOf({ env })}>
              {t.environments[env]}
            </option>
          ))}
        </optgroup>
      )}
      {proposals.length > 0 && (
        <optgroup label={h.proposals}>
          {proposals.map((proposal) => (
            <option key={proposal.id} value={textOf({ proposal: proposal.id })}>
              {shortened(proposalName(r, proposal))}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label={versionsOf === undefined ? h.versions : h.versionsOf(t.environments[versionsOf])}>
        {isUnlisted && <option value={textOf(value)}>{t.common.version(value.version)}</option>}
        {listed.map((item) => (
          <option key={item.version} value={textOf({ version: item.version })}>
            {sayVersion(item)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

function textOf(picked: Picked): string {
  if ('version' in picked) return `version ${picked.version}`;
  return 'env' in picked ? `env ${picked.env}` : `proposal ${picked.proposal}`;
}

function pickedOf(text: string): Picked {
  const [kind, name = ''] = text.split(' ');
  if (kind === 'version') return { version: Number(name) };
  const env = environments.find((one) => one === name);
  return kind === 'env' && env !== undefined ? { env } : { proposal: name };
}
