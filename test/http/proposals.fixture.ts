/** Projects with proposals, for tests over HTTP. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Answer } from '../support/client.ts';
import type { TestMember } from '../support/members.ts';
import type { Developer, TestServer } from '../support/server.ts';

/** A proposal in a response. */
export interface Shown {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
  readonly [name: string]: unknown;
}
export const minute = 60_000;
export const day = 24 * 60 * minute;
/** Status and code. */
export const fault = ({ status, json }: Answer) => [status, (json as { error?: string } | undefined)?.error];
/** Operations that replace one value. */
export const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];
/** The time after so many milliseconds. */
export const inTime = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
/** Returns what `prepare` has made by the time that it gets. It is called again, with more time, if it took longer. */
export async function beforeDue<Made>(prepare: (due: number) => Promise<Made>): Promise<Made> {
  for (let milliseconds = 1_500; ; milliseconds *= 2) {
    const due = Date.now() + milliseconds;
    const made = await prepare(due);
    if (Date.now() < due) return made;
  }
}
const by = () => ({ actor: { kind: 'operator', id: 'operator', name: null }, requestId: 'test', at: Date.now() }) as const;

let slugs = 0;
/** A project whose production has `{gold: 1, other: 1}` as version 1. */
export async function newProposalProject(server: TestServer, owner: TestMember, settings?: object) {
  const { accountId } = owner;
  const slug = `timed-${++slugs}`;
  const path = `/v1/${accountId}/projects/${slug}`;
  const document = `${path}/public-state/production`;
  const expectOk = (answer: Answer) => expect([200, 201], answer.text).toContain(answer.status);
  expectOk(await server.call('POST', `/v1/${accountId}/projects`, { headers: owner.bearer, body: { slug } }));
  const put = async (state: object, condition: Readonly<Record<string, string>>) =>
    expectOk(await server.call('PUT', document, { headers: { ...owner.bearer, ...condition }, body: { state } }));
  await put({ gold: 1, other: 1 }, { 'If-None-Match': '*' });
  const change = async (body: object) => expectOk(await server.call('PATCH', path, { headers: owner.bearer, body }));
  if (settings !== undefined) await change(settings);
  const send = (
    from: Developer,
    method: string,
    rest: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ) =>
    server.call(method, `${document}/proposals${rest}`, {
      headers: { ...from.bearer, ...more },
      ...(body !== undefined && { body }),
    });
  const propose = async (from: Developer, body: object = {}): Promise<Shown> => {
    const answer = await send(from, 'POST', '', { baseVersion: 1, ops: replace('/gold', 2), ...body });
    expectOk(answer);
    return answer.json as Shown;
  };
  const edit = (from: Developer, { id, revision }: Shown, body: object) =>
    send(from, 'PATCH', `/${id}`, body, { 'If-Match': `"${revision}"` });
  const read = async ({ id }: Shown) => (await send(owner, 'GET', `/${id}`)).json as Shown;
  const key = ({ id }: Shown) => ({ accountId, slug, environment: 'production', proposalId: id }) as const;
  /** Moves the times of a proposal, which its routes do not let into the past. */
  async function move(shown: Shown, times: { applyAt?: number | null; revertAt?: number | null }, from = owner) {
    const { store } = server.running;
    const found = await store.findProposal(key(shown));
    if (found === undefined) throw new Error('there is no such proposal');
    const next = { ...found, opsText: found.opsText ?? '[]', ...times, setsTimes: true };
    const proposer = { kind: 'member', id: from.memberId } as const;
    const outcome = await store.editProposal(by(), key(shown), found.revision, { author: found.author, proposer }, next);
    expect(outcome).toEqual({ kind: 'edited' });
  }
  /** The proposal, once it is as expected. */
  async function becomes(shown: Shown, expected: object): Promise<Shown> {
    for (let tries = 0; tries < 3_000; tries++) {
      const found = await read(shown);
      try {
        expect(found).toMatchObject(expected);
        return found;
      } catch (error) {
        if (tries === 2_999) throw error;
        await delay(20);
      }
    }
    throw new Error('unreachable');
  }
  const current = async () => (await server.call('GET', document, { headers: owner.bearer })).json;
  const approve = (from: Developer, { id, revision, merged }: Shown) =>
    send(from, 'POST', `/${id}/approvals`, { revision, version: (merged as { version: number } | null)?.version ?? null });
  const apply = (from: Developer, { id, revision }: Shown, more: object = {}) =>
    send(from, 'POST', `/${id}/apply`, { revision, ...more });
  return { slug, path, document, key, put, change, send, propose, edit, read, move, becomes, current, approve, apply };
}
