/** A writer that writes versions of one document in sequence and records the acknowledgements. */
import { setTimeout as sleep } from 'node:timers/promises';
import { environments, storageRetryAfterSeconds } from '@holdfast/contract';
import { type Api, type ApiAnswer, createApi, expectStatus } from '../tooling/api.ts';
import { type Credentials, createProject, publicStatePath } from '../tooling/credentials.ts';
import type { Random } from '../tooling/random.ts';
import { checkHistory } from './history.ts';
import { createWriteLedger, storedVersions, type WriteLedger } from './write-ledger.ts';

export interface WriteChain
  extends Pick<WriteLedger, 'path' | 'acknowledged' | 'inFlight' | 'storedUnanswered' | 'resume'> {
  readonly api: Api;
  /** Writes versions in sequence until the server is down; rejects if it gives anything but success before that. */
  writeUntil(isServerGone: () => boolean): Promise<void>;
  /** Sends the pending write once. Rejects if the response is neither success nor a 503 of the right form. */
  attempt(): Promise<'stored' | 'refused'>;
}

/** A chain on the public state at `path`, which must be empty. `api` survives restarts of the server. */
function createWriteChain(api: Api, path: string, random: Random): WriteChain {
  const ledger = createWriteLedger(path, random);

  const send = () => {
    const { method, headers, body } = ledger.next();
    return api.send(method, path, { headers, body });
  };

  const attempt = async () => {
    const answer = await send();
    if (answer.status === 503) expectUnavailable(answer);
    return ledger.settle({ status: answer.status, etag: answer.headers.etag });
  };

  const writeUntil = async (isServerGone: () => boolean) => {
    while (!isServerGone()) {
      try {
        const { status, headers } = expectStatus(await send(), 200);
        ledger.settle({ status, etag: headers.etag });
      } catch (error) {
        if (!isServerGone()) throw error;
      }
    }
  };

  return {
    api,
    path,
    acknowledged: ledger.acknowledged,
    get inFlight() {
      return ledger.inFlight;
    },
    get storedUnanswered() {
      return ledger.storedUnanswered;
    },
    resume: ledger.resume,
    attempt,
    writeUntil,
  };
}

/** One chain for each environment of some new projects, each with an API key, which outlives any token. */
export async function createChains(credentials: Credentials, projects: number, random: Random): Promise<WriteChain[]> {
  const chains: WriteChain[] = [];
  for (let index = 1; index <= projects; index++) {
    const slug = `torture-${index}`;
    const api = createApi(credentials.baseUrl, `ApiKey ${await createProject(credentials, slug)}`);
    for (const environment of environments) {
      const path = publicStatePath({ ...credentials, slug }, environment);
      chains.push(createWriteChain(api, path, random.fork()));
    }
  }
  return chains;
}

const retryMilliseconds = 5;

/**
 * Writes versions in sequence, each unchanged until it is stored, until `isOver`. Resolves with the number of refusals; rejects if a
 * response is neither success nor a 503 of the right form, or is missing before `isOver`.
 */
export async function writeThroughFaults(chain: WriteChain, isOver: () => boolean): Promise<number> {
  let refusals = 0;
  while (!isOver()) {
    try {
      if ((await chain.attempt()) === 'stored') continue;
      refusals++;
      await sleep(retryMilliseconds);
    } catch (error) {
      if (!isOver()) throw error;
    }
  }
  return refusals;
}

/** Throws unless the response says that the service is unavailable, in the form that clients rely on. @see docs/contract.md §11.3 */
export function expectUnavailable(answer: ApiAnswer): void {
  const { status, headers, text } = expectStatus(answer, 503);
  const { error } = JSON.parse(text) as { error?: unknown };
  const retryAfter = headers['retry-after'];
  if (error !== 'service_unavailable' || retryAfter !== String(storageRetryAfterSeconds)) {
    throw new Error(`status ${status} says "${error}" and Retry-After ${retryAfter}`);
  }
}

export interface ChainVerdict {
  readonly faults: readonly string[];
  /** Whether the pending write was found stored. */
  readonly hasUnanswered: boolean;
}

/** Compares the server's list with the acknowledgements, and lets the chain continue from there. */
export async function verifyChain(chain: WriteChain): Promise<ChainVerdict> {
  const answer = expectStatus(await chain.api.send('GET', `${chain.path}/versions`), 200);
  const found = storedVersions(answer.text);
  const { acknowledged, inFlight } = chain;
  const faults = checkHistory({ acknowledged, inFlight, found }).map((fault) => `${chain.path}: ${fault}`);
  const hasUnanswered = inFlight !== undefined && found[0]?.version === inFlight.version;
  if (faults.length === 0) chain.resume(JSON.parse(answer.text));
  return { faults, hasUnanswered };
}
