/** Describes the author of a version. */
import type { HistoryItemBody, SaveHistoryItemBody } from '@holdfast/contract';
import type { Texts } from '../texts/index.ts';
import { plain } from './plain-text.ts';

/** A version in a list: of public state, or of a user state. */
export type ListedVersion = HistoryItemBody | SaveHistoryItemBody;

export function authorName(t: Texts, author: ListedVersion['author'], subject: string): string {
  if (author === null) return t.common.unknownAuthor;
  if (author.kind === 'api_key') return t.common.apiKey(plain(author.name ?? author.id));
  if (author.kind === 'service_account') return t.common.serviceAccount(plain(author.name ?? author.id));
  if (author.kind === 'end_user') return t.common.player;
  if (author.id === subject) return t.common.you;
  if (author.kind === 'operator' || author.id === 'operator') return t.common.operator;
  return author.name == null ? t.common.developer : plain(author.name);
}

/** The same inside a sentence, as in “saved by another developer”. */
export function authorInside(t: Texts, author: ListedVersion['author'], subject: string): string {
  if (author?.kind !== 'developer') return authorName(t, author, subject);
  if (author.id === subject) return t.common.youInside;
  return author.name == null ? t.common.developerInside : plain(author.name);
}
