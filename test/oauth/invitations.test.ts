/** Invitations over HTTP: what they lead to, and who joins with them while sign-up is closed. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite as inviteTo, ofOperator } from '../../packages/server/src/oauth/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/records.fixture.ts';
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
  it('says to whoever has it what it leads to, and to nobody else', async () => {
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

  it('makes the first who signs in with it an owner of that account, while sign-up is closed', async () => {
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

  it('stays good for a member, who changes nothing with it; who has another account joins one more', async () => {
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

  it('lets one of many in who open it at once', async () => {
    const { token } = await invite();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => open(`racer-${i}`, token)));
    const codes = answers.map((answer) => returned(answer).code).filter((code) => code !== undefined);
    expect(codes).toHaveLength(1);
  });

  it('is no good when it was withdrawn, after a week, with its account, or with letters that no token has', async () => {
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

  it('changes nothing for players, and no name of what acts without a person can use it', async () => {
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
