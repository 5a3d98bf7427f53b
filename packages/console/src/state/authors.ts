/** Who wrote a version, in words. */
import type { HistoryItemBody } from '@holdfast/contract';
import { queryOptions } from '@tanstack/react-query';
import { addressOf, call } from '../api/http.ts';
import type { Page, StateKey } from '../api/state.ts';
import type { Texts } from '../texts/index.ts';

export function authorName(t: Texts, author: HistoryItemBody['author'], subject: string): string {
  if (author === null) return t.common.unknownAuthor;
  if (author.kind === 'api_key') return t.common.apiKey(author.name ?? author.id);
  return author.id === subject ? t.common.you : t.common.developer;
}

/** What is known about the current version, without its document; null while there is none. */
export const headQuery = (key: StateKey) =>
  queryOptions({
    queryKey: ['head', key.accountId, key.slug, key.env],
    queryFn: async () => (await readHead(key)) ?? null,
  });

export async function readHead({ accountId, slug, env }: StateKey): Promise<HistoryItemBody | undefined> {
  const address = addressOf('/v1/{accountId}/projects/{slug}/public-state/{env}/history', { accountId, slug, env });
  const { items } = await call<Page<HistoryItemBody>>('GET', address, { query: { limit: '1' } });
  return items[0];
}
