/**
 * Authority must hold until the write: sends every change that a credential may make, and ends or narrows its authority in every way while
 * the request is in progress. The answer must equal that of a new request with the credential, and nothing may be written.
 *
 * Operations come from the contract: a new one is included automatically, and fails until it has a body (`examples`) and path parameters.
 * Each is held in its body, in its credential look-up, and in the first read of its handler.
 *
 * @see docs/contract.md §3.9
 */
import { allOperations, type CredentialKind, type Operation, type OperationId } from '@holdfast/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { type Answered, finishAll, HeldRequest, type HoldPoint, holding, type Sent } from '../support/held-requests.ts';
import { openPlace, type Place } from '../support/place.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { clock, type Kind, kinds } from './authority-credentials.ts';
import { type Ground, newGround, requestOf } from './authority-ground.ts';

let place: Place;
let server: TestServer;
beforeAll(async () => {
  place = await openPlace();
  server = await startServer({
    place,
    openStore: async () => holding(await place.openStore()),
    now: () => clock.at,
    settings: {
      SVC_BODY_TIMEOUT_SECONDS: '600',
      SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0',
      SVC_GUESTS_PER_HOUR: '0',
      SVC_IDP_PRIVATE_ADDRESSES: 'allowed',
    },
  });
});
afterEach(finishAll);
afterAll(async () => {
  await server.stop();
  await place.remove();
});

/** GET makes no change that a client asks for (RFC 9110 §9.2.1): `…/export` records that it was read. */
const isChange = ({ method }: Operation) => method !== 'GET';
/** An operation without a credential in its header is authorized by its body, after reading it. */
const hasCredential = ({ access }: Operation) => access.length > 0;
const operationsOf = ({ kind, takes = () => true }: Kind) =>
  allOperations.filter(
    ([, operation]) =>
      isChange(operation) && (operation.access as readonly CredentialKind[]).includes(kind) && takes(operation),
  );
/** Sent like a change because it has a body, but changes nothing. */
const onlyReads = ({ needs }: Operation) => needs === 'read';

const hold = async (way: HoldPoint, requests: readonly Sent[]): Promise<HeldRequest[]> => {
  const held = requests.map((sent) => new HeldRequest(server.baseUrl, sent, way));
  await Promise.all(held.map(({ isThere }) => isThere));
  return held;
};
const answerOf = (sent: Sent) => new HeldRequest(server.baseUrl, sent, 'nowhere').answer;

interface Ended extends Answered {
  readonly way: string;
  readonly id: OperationId;
}
const textOf = ({ way, id, status, code }: Ended): string => `${id}, held in its ${way}: ${status} ${code}`;
const ended = (way: string, held: readonly HeldRequest[]): Promise<Ended[]> =>
  Promise.all(held.map(async (request) => ({ way, id: request.sent.id, ...(await request.finish()) })));

/** Drops the cached data of the account, so that its next requests are looked up. */
const forget = ({ accountId }: Ground) => server.running.store.writeOwnLimits(byOperator, accountId, {});

/** Sends requests that cache all data for the next requests with this credential. */
async function warm({ project }: Ground, authorization: string): Promise<void> {
  const headers = { Authorization: authorization };
  for (const path of ['/public-state/development', '/user-state/development']) {
    await server.call('GET', project.path + path, { headers });
  }
}

describe('the matrix', () => {
  test('has every operation that makes a change with a credential', () => {
    const held = new Set(kinds.flatMap(operationsOf).map(([id]) => id));
    const wanted = allOperations.filter(([, operation]) => isChange(operation) && hasCredential(operation));
    expect(wanted.filter(([id]) => !held.has(id))).toEqual([]);
    expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(3);
  });

  test('leaves out only pages and operations with the proof in the body', () => {
    const others = allOperations.filter(([, operation]) => isChange(operation) && !hasCredential(operation));
    expect(others.filter(([, { body, page }]) => body === undefined && page !== true)).toEqual([]);
  });
});

describe.each(kinds)('$name', (kind) => {
  const all = operationsOf(kind);

  test.each(all)('%s succeeds while the credential is valid', async (id, operation) => {
    const ground = await newGround(server);
    const { authorization } = await kind.make(ground);
    await warm(ground, authorization);
    const sent = await requestOf([id, operation], ground, authorization, kind.condition);
    const held = await hold(operation.body === undefined ? 'nowhere' : 'body', [sent]);
    const [answer] = await Promise.all(held.map((request) => request.finish()));
    expect(answer?.status.toString(), `${id}: ${answer?.code}`).toMatch(/^2/);
    const written = held.flatMap((request) => request.written);
    expect(written.length === 0, `${id} has written: ${written}`).toBe(onlyReads(operation));
    expect(held.flatMap(({ unasked }) => unasked)).toEqual([]);
  });

  test.each(kind.enders)('$name stops requests in progress', async ({ end, takes = () => true, role }) => {
    const ground = await newGround(server);
    const credential = await kind.make(ground, role);
    const { authorization } = credential;
    const taken = all.filter(([, operation]) => takes(operation));
    const requests = await Promise.all(taken.map((one) => requestOf(one, ground, authorization, kind.condition)));
    await forget(ground);
    const lookedUp = await hold('read', requests);
    expect(lookedUp.filter(({ isAnswered }) => isAnswered)).toEqual([]);
    await warm(ground, authorization);
    const slow = await hold(
      'body',
      requests.filter(({ body }) => body !== undefined),
    );
    expect(slow.filter(({ isAnswered }) => isAnswered)).toEqual([]);
    // An operation that only reads has already begun to read.
    const changing = requests.filter(({ operation }) => !onlyReads(operation));
    const handled = (await hold('read', changing)).filter(({ writesAtOnce }) => !writesAtOnce);
    expect(handled.length).toBeGreaterThan(0);
    expect(handled.filter(({ isAnswered }) => isAnswered)).toEqual([]);

    await end(ground, credential);
    const answers = (
      await Promise.all([ended('body', slow), ended('handler', handled), ended('look-up', lookedUp)])
    ).flat();
    const written = [...slow, ...handled, ...lookedUp].flatMap((request) => request.written);
    const later = new Map(await Promise.all(requests.map(async (sent) => [sent.id, await answerOf(sent)] as const)));
    // A resource deleted during the look-up may be missed by either check.
    const isGone = ({ way, status }: Ended) => way === 'look-up' && status === 404;
    expect(answers.map(textOf)).toEqual(
      answers.map((answer) => textOf(isGone(answer) ? answer : { ...answer, ...(later.get(answer.id) as Answered) })),
    );
    expect([...later.values()].filter(({ status }) => status < 400 || status === 503)).toEqual([]);
    expect(written).toEqual([]);
  });
});
