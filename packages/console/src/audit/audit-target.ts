/** What a record of the audit trail is about: its name, and the page that shows it. */
import type { ProjectBody } from '@holdfast/contract';
import { isEnvironment } from '../api/environments.ts';
import type { Member, ServiceAccount } from '../api/team.ts';
import type { Texts } from '../texts/index.ts';
import type { AuditRecord } from './audit-filter.ts';

/** What the account has now. What it does not have any more has no page. */
export interface Known {
  readonly projects: readonly ProjectBody[];
  readonly members: readonly Member[];
  readonly serviceAccounts: readonly ServiceAccount[];
}

export interface Target {
  readonly text: string;
  /** The path of its page; undefined if there is none. */
  readonly path?: string;
  readonly search?: { readonly kind: 'user-state' };
  /** The path of the page of a proposal, which has a title of its own. */
  readonly proposal?: string;
}

type Recorded = Pick<AuditRecord, 'target' | 'detail'>;

/** The fields that name a target. */
const namingFields: readonly string[] = ['name', 'email'];

/** The actions with the title of a proposal as their comment. */
const titling: readonly string[] = ['proposal.create', 'proposal.edit'];

/** Returns the name of a record's target, or its path in the contract if it has none. */
export function targetOf(t: Texts, { target, detail }: Recorded, known: Known): Target {
  const [kind, id = '', ...rest] = target.split('/');
  const recorded = textOf(detail.name) ?? textOf(detail.email) ?? textOf(detail.description);
  switch (kind) {
    case 'projects':
      return inProject(t, id, rest, recorded, known);
    case 'members': {
      const member = known.members.find(({ memberId }) => memberId === id);
      return { text: member?.name ?? member?.email ?? recorded ?? id, path: '/team' };
    }
    case 'invitations':
      return { text: recorded ?? t.team.anybody, path: '/team' };
    case 'service-accounts': {
      const found = known.serviceAccounts.find((one) => one.id === id);
      return { text: found?.name ?? recorded ?? id, path: '/service-accounts' };
    }
    case 'identity-providers':
    case 'users':
      return { text: id };
    default:
      return { text: target };
  }
}

function inProject(t: Texts, slug: string, rest: readonly string[], recorded: string | undefined, known: Known): Target {
  const project = known.projects.find((one) => one.slug === slug);
  const name = project?.name ?? recorded ?? slug;
  const [part, id = '', kind, proposalId] = rest;
  const named = namedPart(t, rest, recorded);
  const text = named === '' ? name : isEnvironment(id) ? `${name} (${named})` : `${named} · ${name}`;
  if (project === undefined) return { text };
  const page = (path: string) => ({ text, path: `/p/${slug}${path}` });
  const environment = isEnvironment(id) ? id : 'production';
  switch (part) {
    case undefined:
      return page('');
    case 'players':
      return page(`/production/players/${id}`);
    case 'public-state':
      return proposalId === undefined
        ? page(`/${environment}/history`)
        : { text, proposal: `/p/${slug}/${environment}/proposals/${proposalId}` };
    case 'schemas':
      return { ...page(`/${environment}/schemas`), ...(kind === 'user-state' && { search: { kind } as const }) };
    case 'api-keys':
      return page('/keys');
    case 'webhooks':
      return page(`/webhooks/${id}`);
    case 'auth':
      return page('/sign-in');
    default:
      return { text: [...rest, name].join(' · ') };
  }
}

/** The part of a project that a path names, in words. */
function namedPart(t: Texts, [part, id = '', kind]: readonly string[], recorded: string | undefined): string {
  if (part === 'players') return decoded(id);
  if (part === 'api-keys' || part === 'webhooks') return recorded ?? id;
  if (!isEnvironment(id)) return '';
  return part === 'schemas' && kind === 'user-state' ? `${t.environments[id]}, ${t.audit.saves}` : t.environments[id];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the newest titles of proposals by their target, from records with the newest first. */
export function titlesIn(records: readonly (Recorded & Pick<AuditRecord, 'action'>)[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { action, target, detail } of records) {
    const title = detail.comment?.to;
    if (titling.includes(action) && typeof title === 'string' && title !== '' && !titles.has(target)) {
      titles.set(target, title);
    }
  }
  return titles;
}

/** A field, and how it changed. */
export type Detail = readonly [string, AuditRecord['detail'][string]];

interface Shown {
  /** The comment that the record came with, if its title does not say it. */
  readonly comment: string | undefined;
  /** The other fields, except those left out at creation and the name that the sentence says. */
  readonly details: readonly Detail[];
}

/** Returns what to show of a record. `name`: the target as its sentence says it; `title`: that of its proposal. */
export function shownOf(
  { action, detail }: Pick<AuditRecord, 'action' | 'detail'>,
  name: string | undefined,
  title: string | undefined,
): Shown {
  const { comment: { from, to } = {} } = detail;
  const comment = from === undefined && typeof to === 'string' && to !== '' ? to : undefined;
  const isNamed = (field: string, value: unknown) =>
    namingFields.includes(field) && name !== undefined && (name === value || name.startsWith(`${value} · `));
  const details = Object.entries(detail).filter(([field, change]) => {
    if (field === 'comment' && comment !== undefined) return false;
    return change.from !== undefined || (change.to !== null && !isNamed(field, change.to));
  });
  return { comment: titling.includes(action) && comment === title ? undefined : comment, details };
}

/** The text that a detail has now, or had. */
function textOf(change: AuditRecord['detail'][string] | undefined): string | undefined {
  return [change?.to, change?.from].find((one): one is string => typeof one === 'string' && one !== '');
}
