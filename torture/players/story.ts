/** The story of one guest: plays, signs up, and merges if the identity is in use, while devices save. */

import { hash, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { type Device, guestForm, newDevice } from '../../tooling/guest.ts';
import type { Random } from '../../tooling/random.ts';
import { Saver, SaverEnded } from './saver.ts';
import type { Answer, PlayerStage } from './stage.ts';

/** How a story ends: `given_up` sends its last request and ignores the response. */
type Ending = 'linked' | 'merged' | 'given_up';

export interface Story {
  readonly subject: string;
  readonly device: Device;
  readonly guestId: string;
  readonly guest: Saver;
  /** The identity's existing player, if it has a user state. */
  readonly player: Saver | undefined;
  ending: Ending;
  /** Requests that were repeated until one got a response. */
  repeats: number;
  readonly faults: string[];
}

const attemptsMax = 200;
const savesEach = 6;

const userIdOf = (token: string): string => decodeJwt(token).user_id as string;

/** Plays one story to its end; problems are in its `faults`. */
export async function play(stage: PlayerStage, subject: string, random: Random): Promise<Story> {
  const device = newDevice();
  const token = (await enter(stage, device)).json.access_token as string;
  const guest = new Saver(stage, `${subject}-guest`, token);
  const player = random.oneIn(2) ? new Saver(stage, `${subject}-own`, await signIn(stage, subject)) : undefined;
  const ending = random.oneIn(8) ? 'given_up' : player === undefined ? 'linked' : 'merged';
  const story: Story = { subject, device, guestId: userIdOf(token), guest, player, ending, repeats: 0, faults: [] };
  await Promise.all([guest.save(1, random), player?.save(1, random)]);
  const note = (error: Error) => void story.faults.push(`${subject}: ${error.message}`);
  const saving = Promise.all([guest.save(savesEach, random), player?.save(savesEach, random)]).catch(note);
  await signUp(stage, story).catch(note);
  await saving;
  return story;
}

/** Requests a token of the guest. */
export async function enter(stage: PlayerStage, device: Device): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const form = guestForm(stage.place, await freshNonce(stage), device);
    const answer = await stage.send('POST', '/v1/auth/token', { form });
    const isUsed = answer.isRepeated && answer.json.error_description !== 'guest_upgraded';
    // An assertion is valid once: it may be spent although its response was lost.
    if (answer.status === 200 || !isUsed || attempt > attemptsMax) return answer;
  }
}

/** Signs an identity in; resolves with its access token. */
export async function signIn(stage: PlayerStage, subject: string): Promise<string> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const answer = await stage.send('POST', '/v1/auth/token', { form: stage.exchange(await stage.codeOf(subject)) });
    if (answer.status === 200) return answer.json.access_token as string;
    if (!answer.isRepeated) throw new Error(`${subject} cannot sign in: ${answer.status} ${JSON.stringify(answer.json)}`);
  }
  throw new Error(`${subject} cannot sign in`);
}

async function freshNonce(stage: PlayerStage): Promise<string> {
  const { headers } = await stage.send('POST', '/v1/auth/token', { form: { grant_type: 'x', client_id: 'x' } });
  return headers.get('auth-nonce') ?? '';
}

async function signUp(stage: PlayerStage, story: Story): Promise<void> {
  const { subject, device, player, ending } = story;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const code = await stage.codeOf(subject);
    const nonce = await freshNonce(stage);
    const claims = { link_code: hash('sha256', code, 'base64url') };
    const form = { ...stage.exchange(code), link_assertion: device.assert(stage.place, nonce, { claims }) };
    if (ending === 'given_up' && player === undefined) {
      await stage.sendOnce('POST', '/v1/auth/token', { form });
      return;
    }
    const { status, json, isRepeated } = await stage.send('POST', '/v1/auth/token', { form });
    if (isRepeated) story.repeats++;
    if (status === 200) return signedUp(stage, story, json);
    // The code was spent by an attempt whose response was lost: the player signs in again.
    if (!isRepeated) throw new Error(`the sign-up is refused: ${status} ${JSON.stringify(json)}`);
  }
  throw new Error('the sign-up never ends');
}

async function signedUp(stage: PlayerStage, story: Story, json: Answer['json']): Promise<void> {
  const token = json.access_token as string;
  const expected = story.player === undefined ? 'linked' : 'in_use';
  if (json.link !== expected) throw new Error(`the link is ${json.link}, not ${expected}`);
  if (story.player !== undefined) return merge(stage, story, story.player, token);
  if (userIdOf(token) !== story.guestId) throw new Error('the guest has become somebody else');
  story.guest.token = token;
}

/** Both devices continue to save: after a change of player, the state is read again. */
async function merge(stage: PlayerStage, story: Story, player: Saver, token: string): Promise<void> {
  const { guest, device, subject } = story;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const key = randomUUID();
    const found = await Promise.all([guest.read(), player.read()]).catch((error: unknown) => {
      if (error instanceof SaverEnded) return undefined;
      throw error;
    });
    if (found === undefined) throw new Error('the guest has ended before its merge');
    const [from, into] = found;
    const state = { log: [...into.userState.log, ...from.userState.log] };
    const assert = async () => device.assert(stage.place, await freshNonce(stage), { claims: { merge_into: subject } });
    const body = { guestAssertion: await assert(), state, ifVersion: into.version, fromVersion: from.version };
    const sent = { token, headers: { 'Idempotency-Key': key }, body };
    if (story.ending === 'given_up') {
      await stage.sendOnce('POST', `${stage.project}/me/merge`, sent);
      return;
    }
    const { status, json, isRepeated } = await stage.send('POST', `${stage.project}/me/merge`, sent);
    if (isRepeated) story.repeats++;
    // With `appliedVersion` it was applied before, and the player has saved since.
    if (status === 200 || json.appliedVersion !== undefined) return;
    // An assertion is valid once, but an applied merge is answered before the assertion is checked.
    if (status !== 412 && !isRepeated) throw new Error(`the merge is refused: ${status} ${JSON.stringify(json)}`);
  }
  throw new Error('the merge never ends');
}
