/** Invitations over HTTP: their results, and joining while sign-up is closed. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { invite as inviteTo, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { developerUri, openWorld, returned, tokensOf, type World } from './world.ts';

let world: World;
let accountId: string;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_DEVELOPER_SIGNUP: 'closed' } });
  accountId = (await world.server.newDeveloper('Lanternfish Games')).accountId;
});
afterAll(() => world.stop());

const client = { client_id: 'svc-developer', redirect_uri: developerUri };
const week = 7 * 24 * 60 * 60 * 1000;

const invite = (account = accountId) =>
  inviteTo(
    world.server.running.store,
    { ...byOperator, at: world.now() },
    { ...ofOperator, accountId: account, role: 'owner' },
  );
const read = (invitation: string) => world.postForm('/v1/auth/invitation', { invitation });

async function open(sub: string, invitation: string | undefined, claims = {}) {
  const idToken = await world.idToken({ sub, firebase: {}, ...claims });
  return world.complete(await world.callbackForm({ ...client, idp_id_token: idToken, invitation }));
}

const denial = async (answer: ReturnType<typeof open>) => returned(await answer);

describe('an invitation', () => {
  it('shows its account and role to its holder only', async () => {
    const { token, invitation } = await invite();
    expect(await read(token)).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      json: {
        accountName: 'Lanternfish Games',
        role: 'owner',
        environments: null,
        inviter: null,
        expiresAt: new Date(invitation.expiresAt).toISOString(),
      },
    });
    for (const wrong of [
      `${token}A`,
      token.slice(1),
      token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'ä'.repeat(43),
    ]) {
      expect(await read(wrong)).toMatchObject({ status: 404, json: { error: 'not_found' } });
    }
    const twice: (readonly [string, string])[] = [
      ['invitation', token],
      ['invitation', token],
    ];
    for (const form of [{}, { invitation: '' }, twice]) {
      expect(await world.postForm('/v1/auth/invitation', form)).toMatchObject({
        status: 400,
        json: { error: 'validation_error' },
      });
    }
    expect((await world.server.call('GET', '/v1/auth/invitation')).status).toBe(405);
  });

  it('makes the first user an owner of the account, even while sign-up is closed', async () => {
    expect(await denial(open('ada', undefined))).toMatchObject({ error: 'access_denied' });
    const { token } = await invite();
    const { code = '' } = returned(await open('ada', token));
    const { access_token } = tokensOf(await world.redeem(code, client));
    expect(decodeJwt(access_token)).toMatchObject({ svc_account_id: accountId, sub: 'ada' });
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await world.server.call('GET', `/v1/${accountId}`, { headers })).json).toMatchObject({
      name: 'Lanternfish Games',
    });
    expect((await read(token)).status).toBe(404);
    expect(await denial(open('bob', token))).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/was used/),
    });
    expect(returned(await open('ada', undefined))).toHaveProperty('code');
  });

  it('stays valid when a member opens it, and adds an account for other developers', async () => {
    const other = (await world.server.newDeveloper('Other Ltd')).accountId;
    const [{ token }, { token: elsewhere }] = [await invite(), await invite(other)];
    expect(returned(await open('eve', elsewhere))).toHaveProperty('code');
    const again = await invite(other);
    expect(await denial(open('eve', again.token))).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/already/),
    });
    expect([(await read(token)).status, (await read(again.token)).status]).toEqual([200, 200]);
    expect(returned(await open('eve', token))).toHaveProperty('code');
    expect((await read(token)).status).toBe(404);
  });

  it('admits one of several simultaneous users', async () => {
    const { token } = await invite();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => open(`racer-${i}`, token)));
    const codes = answers.map((answer) => returned(answer).code).filter((code) => code !== undefined);
    expect(codes).toHaveLength(1);
  });

  it('is invalid when withdrawn, after a week, without its account, or with invalid letters', async () => {
    const [withdrawn, expired] = [await invite(), await invite()];
    await world.server.running.store.withdrawInvitation(byOperator, accountId, withdrawn.invitation.invitationId);
    world.pass(week);
    const gone = (await world.server.newDeveloper('Gone')).accountId;
    const { token } = await invite(gone);
    await world.server.running.store.deleteAccount(gone);
    for (const bad of [withdrawn.token, expired.token, token, 'x', 'ä'.repeat(43), 'A'.repeat(60_000)]) {
      expect((await read(bad)).status).toBe(404);
      expect(await denial(open('gus', bad))).toMatchObject({ error: 'access_denied' });
    }
  });

  it('to an account in deletion admits nobody, and leaves nothing behind', async () => {
    for (let round = 0; round < 5; round++) {
      const doomed = (await world.server.newDeveloper('Doomed')).accountId;
      const { token } = await invite(doomed);
      const openers = Array.from({ length: 4 }, (_, i) => open(`late-${round}-${i}`, token));
      const [deleted, ...answers] = await Promise.all([world.server.running.store.deleteAccount(doomed), ...openers]);
      expect(deleted).toBe('deleted');
      for (const answer of answers) {
        expect(answer.status).toBe(303);
        const { code } = returned(answer);
        if (code !== undefined) expect((await world.redeem(code, client)).status).toBe(400);
      }
      expect((await read(token)).status).toBe(404);
      for (let i = 0; i < 4; i++) {
        expect(await world.server.running.store.listMemberships(world.provider.issuer, `late-${round}-${i}`)).toEqual([]);
      }
    }
  });

  it('appears neither in the log nor in the store', async () => {
    const lines: string[] = [];
    const settings = { SVC_LOG_LEVEL: 'debug' };
    const logOutput = { write: (line: string) => void lines.push(line), close: async () => {} };
    const told = await openWorld({ settings, logOutput });
    onTestFinished(() => told.stop());
    const { running, newDeveloper, place, call } = told.server;
    const about = { ...ofOperator, accountId: (await newDeveloper('Told')).accountId, role: 'owner' } as const;
    const { token } = await inviteTo(running.store, { ...byOperator, at: told.now() }, about);
    const idToken = await told.idToken({ sub: 'ada', firebase: {} });
    const form = { ...client, idp_id_token: idToken, invitation: token };
    // Even in places where it does not belong.
    for (const path of [
      `/console/join?invitation=${token}`,
      `/authorize?invitation=${token}`,
      `/v1/auth/invitation?x=${token}`,
    ]) {
      await call('GET', path, { headers: { Referer: `https://elsewhere.example/#${token}` } });
    }
    expect((await told.postForm('/v1/auth/invitation', { invitation: token })).status).toBe(200);
    expect((await told.postForm('/v1/auth/invitation', { invitation: `${token}x` })).status).toBe(404);
    expect(returned(await told.complete(await told.callbackForm(form)))).toHaveProperty('code');
    expect(returned(await told.complete(await told.callbackForm(form)))).toHaveProperty('error');
    expect(lines.join('')).toContain('/v1/auth/invitation');
    expect(lines.join('')).not.toContain(token);
    expect(await place.storedText()).not.toContain(token);
  });

  it('has no effect for players, and cannot be used under a reserved subject', async () => {
    const { token } = await invite();
    const form = await world.callbackForm({ idp_id_token: await world.idToken(), invitation: token });
    expect(returned(await world.complete(form))).toHaveProperty('code');
    for (const subject of ['operator', 'sa_1']) {
      expect(await denial(open(subject, token))).toMatchObject({
        error: 'access_denied',
        error_description: expect.stringMatching(/reserved/),
      });
    }
    expect((await read(token)).status).toBe(200);
  });
});
