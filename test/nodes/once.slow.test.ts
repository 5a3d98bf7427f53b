import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { migrations } from '../../packages/server/src/storage/postgres/schema/migrations.ts';
import { guestGrant, newDevice, nonceOf } from '../../tooling/guest.ts';
import { startedDespiteDatabase, startServerProcess } from '../../tooling/server-process.ts';
import { appUri, type SignInProject, tokensOf, verifier } from '../oauth/world.ts';
import { type Answer, call } from '../support/client.ts';
import { openPair, type Pair } from './pair.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await openPair();
});
afterAll(() => pair?.close());

describe('exactly one of several parallel uses on both nodes succeeds', () => {
  const rounds = 15;
  const usesPerNode = 8;
  const token = (node: string, form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
    call(node, 'POST', '/v1/auth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  const refresh = (node: string, project: SignInProject, refreshToken: string, key?: string) => {
    const form = { grant_type: 'refresh_token', client_id: project.clientId, refresh_token: refreshToken };
    return token(node, form, key === undefined ? {} : { 'Idempotency-Key': key });
  };
  const redeem = (node: string, project: SignInProject, code: string) => {
    const form = { grant_type: 'authorization_code', client_id: project.clientId, redirect_uri: appUri };
    return token(node, { ...form, code, code_verifier: verifier });
  };
  const answered = async (use: () => Promise<Answer>): Promise<Answer> => {
    const answer = await use();
    return answer.status === 503 ? answered(use) : answer; // the machine is busy
  };
  const onBothNodes = (use: (node: string) => Promise<Answer>) =>
    Promise.all(Array.from({ length: usesPerNode }, () => pair.nodes.map((node) => answered(() => use(node)))).flat());
  /** The one successful response. */
  const winner = (answers: readonly Answer[]): Answer => {
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(answers.length - 1).fill(400)]);
    return answers.find(({ status }) => status === 200) as Answer;
  };

  test('of a refresh token; the others end its family', async () => {
    for (let round = 0; round < rounds; round++) {
      const { refresh_token } = await pair.world.newTokens();
      const won = tokensOf(winner(await onBothNodes((node) => refresh(node, pair.world.project, refresh_token))));
      for (const node of pair.nodes) expect((await refresh(node, pair.world.project, won.refresh_token)).status).toBe(400);
    }
  });

  test('of a refresh token with one key; the others repeat its response', async () => {
    for (let round = 0; round < rounds; round++) {
      const { refresh_token } = await pair.world.newTokens();
      const key = `the key of round ${round}`.replaceAll(' ', '-');
      const answers = await onBothNodes((node) => refresh(node, pair.world.project, refresh_token, key));
      expect(new Set(answers.map((answer) => tokensOf(answer).refresh_token)).size).toBe(1);
      const next = tokensOf(answers[0] as Answer).refresh_token;
      const [one = '', other = ''] = pair.nodes;
      tokensOf(await refresh(one, pair.world.project, next));
      expect((await refresh(other, pair.world.project, refresh_token, key)).status).toBe(400);
    }
  });

  test('of a guest’s assertion, with a nonce from either node', async () => {
    const { clientId } = await pair.world.newSignInProject({ allowedIdps: ['anonymous'] });
    const scope = 'env:production';
    const device = newDevice();
    for (let round = 0; round < rounds; round++) {
      const nonce = nonceOf(await token(pair.nodes[round % 2] ?? '', { grant_type: 'x', client_id: 'x' }));
      const assertion = device.assert({ baseUrl: pair.nodes[0], clientId, scope }, nonce);
      winner(await onBothNodes((node) => token(node, { grant_type: guestGrant, client_id: clientId, scope, assertion })));
    }
  });

  test('of an authorization code; the others revoke its tokens', async () => {
    for (let round = 0; round < rounds; round++) {
      const code = await pair.world.newCode();
      const won = tokensOf(winner(await onBothNodes((node) => redeem(node, pair.world.project, code))));
      for (const node of pair.nodes) expect((await refresh(node, pair.world.project, won.refresh_token)).status).toBe(400);
    }
  });
});

test('six nodes that start together on an empty database are all ready, and each migration runs once', async () => {
  const env = { ...pair.shared, SVC_DATABASE_URL: await pair.cluster.createDatabase() };
  const starting = Array.from({ length: 6 }, async (_, index) =>
    startedDespiteDatabase(async () =>
      startServerProcess({ dataDir: join(pair.folder, `starting-${index}`), port: await freePort(), env }),
    ),
  );
  const outcomes = await Promise.allSettled(starting);
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const sql = postgres(env.SVC_DATABASE_URL, { max: 1 });
  try {
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const applied = await sql<{ number: string }[]>`SELECT number FROM migrations ORDER BY number`;
    expect(applied.map(({ number }) => Number(number))).toEqual(migrations.map(({ number }) => number));
  } finally {
    await sql.end();
    await Promise.all(started.map((server) => server.stop()));
  }
});
