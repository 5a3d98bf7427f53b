/** Who wrote a version, in words. */
import type { HistoryItemBody } from '@holdfast/contract';
import type { Texts } from '../texts/index.ts';
import { plain } from '../ui/plain.tsx';

export function authorName(t: Texts, author: HistoryItemBody['author'], subject: string): string {
  if (author === null) return t.common.unknownAuthor;
  if (author.kind === 'api_key') return t.common.apiKey(plain(author.name ?? author.id));
  if (author.kind === 'service_account') return t.common.serviceAccount(plain(author.name ?? author.id));
  return author.id === subject ? t.common.you : t.common.developer;
}
