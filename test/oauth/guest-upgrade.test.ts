/** Guests who sign up: they keep their player and user state, and can sign in. @see docs/contract.md §7.16 */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guestGrant, newDevice, type Wrong } from '../../tooling/guest.ts';
import { bodyOf, guestSteps, linkCodeOf, somebody, type Tokens, userIdOf } from './guest-steps.ts';
import { expectTokenError, openWorld, returned, type SignInProject, type World } from './world.ts';

let world: World;
let project: SignInProject;
let steps: ReturnType<typeof guestSteps>;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_GUESTS_PER_HOUR: '0' } });
  project = await world.newSignInProject({ allowedIdps: ['password', 'google.com', 'anonymous'] });
  steps = guestSteps(world, project);
});
afterAll(() => world.stop());

const scope = 'env:production';

describe('a guest who signs up', () => {
  it('is the same player with the same user state, on every device', async () => {
    const [device, subject] = [newDevice(), somebody()];
    const guest = await steps.play(device);
    await steps.write(guest, 'played');
    const tokens = bodyOf(await steps.upgrade(device, await steps.codeOf(subject)));
    expect(tokens.link).toBe('linked');
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: userIdOf(guest), email: `${subject}@example.com` });
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('svc_guest');
    expect((await steps.read(tokens.access_token)).json).toEqual({ version: 1, state: { a: 'played' } });
    expect((await steps.write(tokens.access_token, 'on', 1)).status).toBe(200);

    const refreshed = bodyOf(await world.refresh(tokens.refresh_token, { client_id: project.clientId }));
    expect(userIdOf(refreshed.access_token)).toBe(userIdOf(guest));
    const elsewhere = bodyOf(await steps.redeem(await steps.codeOf(subject)));
    expect(elsewhere).not.toHaveProperty('link');
    expect(userIdOf(elsewhere.access_token)).toBe(userIdOf(guest));
    expect((await steps.read(elsewhere.access_token)).json).toEqual({ version: 2, state: { a: 'on' } });
  });

  it('has a retired key, and can link again after a new sign-in: a lost response costs nothing', async () => {
    const [device, subject] = [newDevice(), somebody()];
    const guest = await steps.play(device);
    await steps.write(guest, 1);
    const first = bodyOf(await steps.upgrade(device, await steps.codeOf(subject)));
    const again = await world.token({
      grant_type: guestGrant,
      client_id: project.clientId,
      scope,
      assertion: device.assert(steps.placeOf(), await steps.freshNonce()),
    });
    expectTokenError(again, 400, 'invalid_grant');
    expect(again.json).toMatchObject({ error_description: 'guest_upgraded' });
    const second = bodyOf(await steps.upgrade(device, await steps.codeOf(subject)));
    expect(second.link).toBe('linked');
    expect(userIdOf(second.access_token)).toBe(userIdOf(first.access_token));
    expect((await world.refresh(first.refresh_token, { client_id: project.clientId })).status).toBe(200);
  });

  it('with a retired key gets guest_upgraded for every other identity, and the code stays valid', async () => {
    const device = newDevice();
    await steps.upgrade(device, await steps.codeOf(somebody()));
    const other = somebody();
    const code = await steps.codeOf(other);
    const refused = await steps.upgrade(device, code);
    expectTokenError(refused, 400, 'invalid_grant');
    expect(refused.json).toMatchObject({ error_description: 'guest_upgraded' });
    expect(userIdOf(bodyOf(await steps.redeem(code)).access_token)).toBe(other);
  });

  it('without a user state is linked too, and starts a user state as a player', async () => {
    const [device, subject] = [newDevice(), somebody()];
    const { access_token: token, link } = bodyOf(await steps.upgrade(device, await steps.codeOf(subject)));
    expect(link).toBe('linked');
    expect((await steps.write(token, 1)).json).toMatchObject({ version: 1 });
  });

  it('keeps the user state even if the project no longer allows guests', async () => {
    const at = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const device = newDevice();
    await steps.write(await steps.play(device, at), 'kept', undefined, at);
    const { bearer: headers } = at.developer;
    const body = { allowedIdps: ['password'] };
    expect((await world.server.call('PATCH', `${at.path}/auth/end-user/config`, { headers, body })).status).toBe(200);
    const tokens = bodyOf(await steps.upgrade(device, await steps.codeOf(somebody(), at), at));
    expect(tokens.link).toBe('linked');
    expect((await steps.read(tokens.access_token, at)).json).toMatchObject({ state: { a: 'kept' } });
  });

  it('is linked in every project of the account', async () => {
    const other = await steps.otherProject();
    const [device, subject] = [newDevice(), somebody()];
    const guest = await steps.play(device, other);
    await steps.write(guest, 'there', undefined, other);
    expect(bodyOf(await steps.upgrade(device, await steps.codeOf(subject))).link).toBe('linked');
    const there = bodyOf(await steps.redeem(await steps.codeOf(subject, other), {}, other));
    expect((await steps.read(there.access_token, other)).json).toEqual({ version: 1, state: { a: 'there' } });
  });
});

describe('an identity is in_use', () => {
  it('if its player has a user state: the tokens are that player’s, and nothing changes', async () => {
    const [device, subject] = [newDevice(), somebody()];
    const own = bodyOf(await steps.redeem(await steps.codeOf(subject))).access_token;
    await steps.write(own, 'own');
    const guest = await steps.play(device);
    await steps.write(guest, 'of the guest');
    const tokens = bodyOf(await steps.upgrade(device, await steps.codeOf(subject)));
    expect(tokens.link).toBe('in_use');
    expect(userIdOf(tokens.access_token)).toBe(subject);
    expect((await steps.read(tokens.access_token)).json).toMatchObject({ state: { a: 'own' } });
    expect((await steps.read(await steps.play(device))).json).toMatchObject({ state: { a: 'of the guest' } });
  });

  it('if its player has a user state in another project of the account', async () => {
    const other = await steps.otherProject();
    const subject = somebody();
    await steps.write(
      bodyOf(await steps.redeem(await steps.codeOf(subject, other), {}, other)).access_token,
      1,
      undefined,
      other,
    );
    expect(bodyOf(await steps.upgrade(newDevice(), await steps.codeOf(subject))).link).toBe('in_use');
  });

  it('if it belongs to another guest with a user state', async () => {
    const [first, second, subject] = [newDevice(), newDevice(), somebody()];
    await steps.write(await steps.play(first), 1);
    const linked = bodyOf(await steps.upgrade(first, await steps.codeOf(subject)));
    const tokens = bodyOf(await steps.upgrade(second, await steps.codeOf(subject)));
    expect(tokens.link).toBe('in_use');
    expect(userIdOf(tokens.access_token)).toBe(userIdOf(linked.access_token));
  });

  it('but not after a sign-in without a user state, whose tokens end', async () => {
    const subject = somebody();
    const before = bodyOf(await steps.redeem(await steps.codeOf(subject)));
    const unspent = await steps.codeOf(subject);
    expect(bodyOf(await steps.upgrade(newDevice(), await steps.codeOf(subject))).link).toBe('linked');
    expectTokenError(await world.refresh(before.refresh_token, { client_id: project.clientId }), 400, 'invalid_grant');
    expectTokenError(await steps.redeem(unspent), 400, 'invalid_grant');
    expect((await steps.write(before.access_token, 1)).status).toBe(401);
  });

  it('but not if it belongs to an upgraded guest without a user state', async () => {
    const [first, second, subject] = [newDevice(), newDevice(), somebody()];
    await steps.upgrade(first, await steps.codeOf(subject));
    const tokens = bodyOf(await steps.upgrade(second, await steps.codeOf(subject)));
    expect(tokens.link).toBe('linked');
    const again = bodyOf(await steps.redeem(await steps.codeOf(subject)));
    expect(userIdOf(again.access_token)).toBe(userIdOf(tokens.access_token));
    expect((await steps.upgrade(first, await steps.codeOf(subject))).json).toMatchObject({
      error_description: 'guest_upgraded',
    });
  });

  it('but never because of an equal address', async () => {
    const email = 'same@example.com';
    const idToken = async (sub: string) =>
      world.newCode({
        client_id: project.clientId,
        idp_id_token: await world.idToken({
          sub,
          email,
          email_verified: true,
          firebase: { tenant: project.tenantId, sign_in_provider: 'password' },
        }),
      });
    const [one, two] = [somebody(), somebody()];
    await steps.write(bodyOf(await steps.redeem(await idToken(one))).access_token, 1);
    const tokens = bodyOf(await steps.upgrade(newDevice(), await idToken(two)));
    expect(tokens.link).toBe('linked');
    expect(userIdOf(bodyOf(await steps.redeem(await idToken(one))).access_token)).toBe(one);
  });
});

describe('blocks', () => {
  const block = (of: SignInProject, id: string, method = 'PUT') => {
    const body = method === 'PUT' ? { body: {} } : {};
    return world.server.call(method, `${of.path}/players/${id}/block`, { headers: of.developer.bearer, ...body });
  };

  it('prevent a guest from signing up, in every project of the account, and the code stays valid', async () => {
    const other = await steps.otherProject();
    const device = newDevice();
    const guest = await steps.play(device, other);
    await steps.write(guest, 1, undefined, other);
    expect((await block(other, userIdOf(guest))).status).toBe(200);
    const code = await steps.codeOf(somebody());
    const refused = await steps.upgrade(device, code);
    expectTokenError(refused, 400, 'invalid_grant');
    expect(refused.json).toMatchObject({ error_description: 'player_blocked' });
    await block(other, userIdOf(guest), 'DELETE');
    expect(bodyOf(await steps.upgrade(device, code)).link).toBe('linked');
  });

  it('keep an identity with its player: no guest can take it over', async () => {
    const other = await steps.otherProject();
    const subject = somebody();
    await steps.signIn(subject, other);
    expect((await block(other, subject)).status).toBe(200);
    const tokens = bodyOf(await steps.upgrade(newDevice(), await steps.codeOf(subject)));
    expect([tokens.link, userIdOf(tokens.access_token)]).toEqual(['in_use', subject]);
  });

  it('apply to every method of a player', async () => {
    const [device, subject] = [newDevice(), somebody()];
    await steps.write(await steps.play(device), 1);
    const tokens = bodyOf(await steps.upgrade(device, await steps.codeOf(subject)));
    const complete = async (sign_in_provider: string) => {
      const firebase = { tenant: project.tenantId, sign_in_provider };
      const idToken = await world.idToken({ sub: subject, firebase });
      return world.complete(await world.callbackForm({ client_id: project.clientId, idp_id_token: idToken }));
    };
    expect(returned(await complete('google.com')).code).toBeDefined();
    expect((await block(project, userIdOf(tokens.access_token))).status).toBe(200);
    for (const provider of ['password', 'google.com']) {
      expect(returned(await complete(provider))).toMatchObject({
        error: 'access_denied',
        error_description: 'player_blocked',
      });
    }
  });
});

describe('a link_assertion is refused, and the code stays valid', () => {
  const other = newDevice();
  it.each<[string, string, Wrong | ((code: string) => Wrong)]>([
    ['for another code', 'invalid_grant', { claims: { link_code: linkCodeOf('another') } }],
    ['that contains the code itself', 'invalid_grant', (code) => ({ claims: { link_code: code } })],
    ['without link_code', 'invalid_grant', { claims: { link_code: undefined } }],
    ['that also merges', 'invalid_grant', { claims: { merge_into: 'player-1' } }],
    ['of another project', 'invalid_grant', { claims: { client_id: 'acc_1.other' } }],
    ['for another environment', 'invalid_grant', { claims: { scope: 'env:staging' } }],
    ['for another service', 'invalid_grant', { claims: { aud: 'https://other.example' } }],
    ['signed by another key', 'invalid_grant', { signedBy: other }],
    ['of the type JWT', 'invalid_grant', { header: { typ: 'JWT' } }],
    ['without a nonce', 'use_nonce', { claims: { nonce: undefined } }],
    ['with a nonce of its own', 'use_nonce', { claims: { nonce: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }],
    ['with a jti that is too long', 'invalid_grant', { claims: { jti: 'x'.repeat(65) } }],
  ])('%s', async (_, error, wrong) => {
    const device = newDevice();
    const code = await steps.codeOf(somebody());
    const given = typeof wrong === 'function' ? wrong(code) : wrong;
    const refused = await steps.redeem(code, { link_assertion: await steps.assertionFor(device, code, given) });
    expectTokenError(refused, 400, error);
    expect(bodyOf(await steps.upgrade(device, code)).link).toBe('linked');
  });

  it('of 64 KB', async () => {
    const code = await steps.codeOf(somebody());
    expectTokenError(await steps.redeem(code, { link_assertion: 'x'.repeat(60_000) }), 400, 'invalid_grant');
    expect((await steps.redeem(code)).status).toBe(200);
  });

  it('after it was used', async () => {
    const device = newDevice();
    const claims = { jti: 'once' };
    const first = await steps.codeOf(somebody());
    bodyOf(await steps.redeem(first, { link_assertion: await steps.assertionFor(device, first, { claims }) }));
    const code = await steps.codeOf(somebody());
    expectTokenError(
      await steps.redeem(code, { link_assertion: await steps.assertionFor(device, code, { claims }) }),
      400,
      'invalid_grant',
    );
  });

  it('with a developer’s code', async () => {
    const device = newDevice();
    const { code, error } = returned(
      await world.complete(
        await world.callbackForm({
          client_id: 'svc-developer',
          redirect_uri: 'http://127.0.0.1:8976/callback',
          idp_id_token: await world.idToken({ sub: 'a-developer', firebase: undefined }),
        }),
      ),
    );
    if (code === undefined) throw new Error(`no code: ${error}`);
    const form = { client_id: 'svc-developer', redirect_uri: 'http://127.0.0.1:8976/callback' };
    expectTokenError(
      await steps.redeem(code, { ...form, link_assertion: await steps.assertionFor(device, code) }),
      400,
      'invalid_request',
    );
    expect((await steps.redeem(code, form)).status).toBe(200);
  });

  it('as a guest’s grant: it is for linking only', async () => {
    const device = newDevice();
    const code = await steps.codeOf(somebody());
    const assertion = await steps.assertionFor(device, code);
    const answer = await world.token({ grant_type: guestGrant, client_id: project.clientId, scope, assertion });
    expectTokenError(answer, 400, 'invalid_grant');
    expect(bodyOf(await steps.redeem(code, { link_assertion: assertion })).link).toBe('linked');
  });
});

describe('races', () => {
  it('of several guests for one identity, and one guest for several: one wins, and none is half linked', async () => {
    const subject = somebody();
    const devices = [newDevice(), newDevice(), newDevice(), newDevice()];
    await Promise.all(devices.map(async (device, i) => steps.write(await steps.play(device), i)));
    const codes = await Promise.all(devices.map(() => steps.codeOf(subject)));
    const outcomes = await Promise.all(devices.map((device, i) => steps.upgrade(device, codes[i] as string)));
    const linked = outcomes.filter((outcome) => outcome.status === 200 && (outcome.json as Tokens).link === 'linked');
    expect(linked).toHaveLength(1);
    const winner = userIdOf(linked.map(({ json }) => (json as Tokens).access_token).join());
    expect(userIdOf(bodyOf(await steps.redeem(await steps.codeOf(subject))).access_token)).toBe(winner);
    const others = await Promise.all(
      devices.map(async (device) => {
        const assertion = device.assert(steps.placeOf(), await steps.freshNonce());
        return (await world.token({ grant_type: guestGrant, client_id: project.clientId, scope, assertion })).status;
      }),
    );
    expect(others.filter((status) => status === 400)).toHaveLength(1);

    const device = newDevice();
    const subjects = [somebody(), somebody(), somebody()];
    const theirs = await Promise.all(subjects.map((each) => steps.codeOf(each)));
    const results = await Promise.all(theirs.map((code) => steps.upgrade(device, code)));
    expect(results.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('of the link and the player’s first write: either it is in_use, or the write is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const [device, subject] = [newDevice(), somebody()];
      const own = bodyOf(await steps.redeem(await steps.codeOf(subject))).access_token;
      const code = await steps.codeOf(subject);
      const [saved, outcome] = await Promise.all([steps.write(own, 1), steps.upgrade(device, code)]);
      const expected = saved.status === 200 ? 'in_use' : 'linked';
      expect(bodyOf(outcome).link, `the user state was ${saved.status}`).toBe(expected);
      if (expected === 'linked') expect([401, 404]).toContain(saved.status);
    }
  });
});

describe('counts', () => {
  it('move from guests to players, and fall when the player is deleted', async () => {
    const at = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const { accountId, bearer: headers } = at.developer;
    await world.server.running.store.writeOwnLimits(
      { actor: { kind: 'operator', id: 'operator', name: null }, requestId: 'r', at: 1 },
      accountId,
      { endUsers: 4 },
    );
    const [first, second, third] = [newDevice(), newDevice(), newDevice()];
    await steps.write(await steps.play(first, at), 1, undefined, at);
    await steps.write(await steps.play(second, at), 1, undefined, at);
    expect((await steps.write(await steps.play(third, at), 1, undefined, at)).json).toMatchObject({
      code: 'QUOTA_END_USERS',
      limit: 2,
    });
    const tokens = bodyOf(await steps.upgrade(first, await steps.codeOf(somebody(), at), at));
    expect(tokens.link).toBe('linked');
    expect((await steps.write(await steps.play(third, at), 1, undefined, at)).status).toBe(200);
    expect((await steps.write(tokens.access_token, 2, 1, at)).status).toBe(200);
    const usage = async () => (await world.server.call('GET', `/v1/${accountId}/usage`, { headers })).json;
    expect(await usage()).toMatchObject({ endUsers: { used: 3 } });
    const gone = `${at.path}/user-states/${userIdOf(tokens.access_token)}`;
    expect((await world.server.call('DELETE', gone, { headers })).status).toBe(204);
    expect(await usage()).toMatchObject({ endUsers: { used: 2 } });
  });
});
