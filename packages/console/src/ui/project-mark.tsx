/** The mark of a project: the logo of its login page, or its initial in its colour. Others than owners and admins see an initial alone. */
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { type ProjectKey, signInQuery } from '../api/queries.ts';
import { accountsQuery } from '../api/team.ts';
import { monogramOf } from './plain-text.ts';

interface ProjectMarkProps {
  readonly project: ProjectKey;
  readonly name: string;
  /** Whether to read its look now. */
  readonly isSeen?: boolean;
}

export function ProjectMark({ project, name, isSeen = true }: ProjectMarkProps) {
  const { accountId, slug } = project;
  const { data: accounts = [] } = useQuery(accountsQuery);
  const role = accounts.find((one) => one.accountId === accountId)?.role;
  const enabled = isSeen && (role === 'owner' || role === 'admin');
  const { data: look } = useQuery({ ...signInQuery({ accountId, slug }), enabled, staleTime: 60_000 });
  if (look?.logoData && look.logoMediaType) {
    return <img className="monogram" src={`data:${look.logoMediaType};base64,${look.logoData}`} alt="" />;
  }
  const style = look?.primaryColor ? { '--brand': look.primaryColor } : { '--hue': hueOf(slug) };
  return (
    <span className="monogram" aria-hidden="true" style={style as CSSProperties} data-own={look?.primaryColor && true}>
      {monogramOf(name)}
    </span>
  );
}

/** One of nine hues; the same one for a name at all times. */
const hueOf = (slug: string): number => ([...slug].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 9) * 40;
