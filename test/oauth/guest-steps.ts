/** Steps of guests in a world: play, sign up and merge. */
import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import { type Device, guestGrant, nonceOf, type Wrong } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { appUri, type SignInProject, verifier, type World } from './world.ts';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly link?: string;
}

/** The tokens of an answer; fails if it has none. */
export const bodyOf = (answer: Answer): Tokens => {
  expect(answer.status, answer.text).toBe(200);
  return answer.json as Tokens;
};
export const userIdOf = (token: string) => decodeJwt(token).user_id as string;
export const linkCodeOf = (code: string) => hash('sha256', code, 'base64url');
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

let people = 0;
/** The subject of an identity that has never signed in. */
export const somebody = () => `somebody-${++people}`;

/** Steps of guests and players, in this project or another given one. */
export function guestSteps(world: World, project: SignInProject, scope = 'env:production') {
  const placeOf = ({ clientId } = project) => ({ baseUrl: world.server.baseUrl, clientId, scope });
  const freshNonce = async () => nonceOf(await world.token({ grant_type: 'x', client_id: 'x' }));
  const redeem = (code: string, more: Readonly<Record<string, string>> = {}, at = project): Promise<Answer> =>
    world.token({
      grant_type: 'authorization_code',
      client_id: at.clientId,
      code,
      code_verifier: verifier,
      redirect_uri: appUri,
      ...more,
    });

  /** Signs in an identity of the account, and returns the code. */
  async function codeOf(subject: string, at = project): Promise<string> {
    const firebase = { tenant: at.tenantId, sign_in_provider: 'password' };
    const idToken = await world.idToken({ sub: subject, firebase, email: `${subject}@example.com` });
    return world.newCode({ client_id: at.clientId, idp_id_token: idToken, scope });
  }

  async function assertionFor(device: Device, code: string, wrong: Wrong = {}, at = project): Promise<string> {
    const claims = { link_code: linkCodeOf(code), ...wrong.claims };
    return device.assert(placeOf(at), await freshNonce(), { ...wrong, claims });
  }

  /** Exchanges a code with an assertion of the device. */
  const upgrade = async (device: Device, code: string, at = project): Promise<Answer> =>
    redeem(code, { link_assertion: await assertionFor(device, code, {}, at) }, at);

  /** Requests a token for a guest. */
  const enter = async (device: Device, at = project): Promise<Answer> => {
    const assertion = device.assert(placeOf(at), await freshNonce());
    return world.token({ grant_type: guestGrant, client_id: at.clientId, scope, assertion });
  };
  const play = async (device: Device, at = project): Promise<string> => bodyOf(await enter(device, at)).access_token;
  const signIn = async (subject: string, at = project): Promise<string> =>
    bodyOf(await redeem(await codeOf(subject, at), {}, at)).access_token;

  const stateAt = (at = project) => `${at.path}/user-state/${scope.slice(4)}`;
  const read = (token: string, at = project) => world.server.call('GET', stateAt(at), { headers: bearer(token) });
  const write = (token: string, value: unknown, version?: number, at = project) =>
    world.server.call('PATCH', stateAt(at), {
      headers: {
        ...bearer(token),
        ...(version === undefined ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }),
      },
      body: { ops: [{ op: 'add', path: '/a', value }] },
    });

  /** Another project of the same account. */
  async function otherProject(): Promise<SignInProject> {
    const created = await world.server.newProject(project.developer);
    const body = { enabled: true, redirectUris: [appUri], allowedIdps: ['password', 'anonymous'] };
    const headers = created.developer.bearer;
    await world.server.call('PUT', `${created.path}/auth/end-user/config`, { headers, body });
    return { ...created, clientId: `${created.developer.accountId}.${created.slug}`, tenantId: project.tenantId };
  }

  return { placeOf, freshNonce, redeem, codeOf, assertionFor, upgrade, enter, play, signIn, read, write, otherProject };
}
