/** Usage, limits and request figures on the wire. */

import {
  apiKeyIdPattern,
  requestFigureDaysDefault,
  requestFigureDaysMax,
  serviceAccountIdPattern,
  slugPattern,
} from '@holdfast/contract';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { quoted } from '../../common/text/quoted.ts';
import { createTurnBound } from '../../common/turns/turn-bound.ts';
import { commonCallers } from '../../storage/contract/usage.ts';
import type { Store } from '../../storage/store.ts';
import { type RequestCounts, readUsage } from '../../usage/account-usage.ts';
import { type FigureQuestion, type FigureSources, readRequestFigures } from '../../usage/read-request-figures.ts';
import type { Handlers } from '../operation-request.ts';
import { neverKept } from '../replies/caching.ts';
import { jsonReply } from '../replies/reply.ts';
import { single } from '../wire/page.ts';

/** Portions of figures read in one turn, at some milliseconds each. */
const portionsInTurn = 2;
const inTurn = createTurnBound(portionsInTurn);
const turn = () => new Promise<void>(inTurn);

export interface UsageParts extends Omit<FigureSources, 'turn'> {
  readonly store: FigureSources['store'] & Pick<Store, 'readUsage' | 'readDailyRequests'>;
  readonly requests: RequestCounts;
}

/** The handlers of an account's usage. */
export function usageHandlers(parts: UsageParts): Handlers {
  const { store, requests } = parts;
  return {
    readUsage: async ({ params: { accountId } }) => jsonReply(200, await readUsage(store, requests, accountId), neverKept),
    readRequestFigures: async ({ params: { accountId }, query }) => {
      const question = readQuestion(parseFormText(query));
      return jsonReply(200, await readRequestFigures({ ...parts, turn }, accountId, question), neverKept);
    },
  };
}

function readQuestion(query: URLSearchParams): FigureQuestion {
  const days = single(query, 'days') ?? String(requestFigureDaysDefault);
  if (!/^[1-9][0-9]{0,2}$/.test(days) || Number(days) > requestFigureDaysMax) {
    throw new Refusal(
      'validation_error',
      `query parameter days: ${quoted(days)} must be a whole number from 1 to ${requestFigureDaysMax}`,
    );
  }
  const projectSlug = single(query, 'projectSlug');
  if (projectSlug !== undefined && !isSlug(projectSlug)) {
    throw new Refusal('validation_error', `query parameter projectSlug: ${quoted(projectSlug)} is not a project slug`);
  }
  const caller = single(query, 'caller');
  if (caller !== undefined && !isCaller(caller)) {
    const words = Object.values(commonCallers).join(', ');
    throw new Refusal(
      'validation_error',
      `query parameter caller: ${quoted(caller)} must be the id of an API key or service account, or one of ${words}`,
    );
  }
  return { days: Number(days), projectSlug, caller };
}

/** Longer than any slug or id. */
const charactersMax = 100;
const isSlug = (text: string): boolean => text.length <= charactersMax && slugPattern.test(text);
const isCaller = (text: string): boolean =>
  text.length <= charactersMax &&
  (Object.values<string>(commonCallers).includes(text) || apiKeyIdPattern.test(text) || serviceAccountIdPattern.test(text));
