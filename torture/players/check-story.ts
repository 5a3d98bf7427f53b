/** Checks a guest at the end of a story: completely linked or not at all, with every user state once. */

import { decodeJwt } from 'jose';
import type { Acknowledged, UserState } from './saver.ts';
import type { PlayerStage } from './stage.ts';
import { enter, type Story, signIn } from './story.ts';

export interface Verdict {
  readonly became: 'linked' | 'merged' | 'still a guest';
  readonly faults: readonly string[];
}

/** Signs the identity in again, tries the key of the guest, and reads every remaining version. */
export async function checkStory(stage: PlayerStage, story: Story): Promise<Verdict> {
  const { subject, guestId, guest, player, ending } = story;
  const faults = [...story.faults, ...guest.faults, ...(player?.faults ?? [])];
  const token = await signIn(stage, subject);
  const userId = decodeJwt(token).user_id as string;
  const entered = await enter(stage, story.device);
  const isRetired = entered.status === 400 && entered.json.error_description === 'guest_upgraded';
  if (!isRetired && entered.status !== 200) faults.push(`the guest enters: ${entered.status} ${entered.json.error}`);
  const became = !isRetired ? 'still a guest' : userId === guestId ? 'linked' : 'merged';
  if (became === 'merged' && player === undefined) faults.push('the key is retired, but the identity is not the guest');
  if (became === 'linked' && player !== undefined) faults.push('the guest took an identity that is in use');
  if (became === 'still a guest' && userId === guestId) faults.push('the identity is the guest, whose key is still good');
  if (ending !== 'given_up' && became !== ending) faults.push(`it is ${became}`);

  const userStates = new Map<string, Versions>();
  const keep = async (id: string) => userStates.set(id, await versionsOf(stage, id));
  await keep(userId);
  if (userId !== guestId) await keep(guestId);
  const own = userStates.get(userId);
  const ofGuest = userStates.get(guestId);
  if (became === 'merged' && ofGuest?.newest !== undefined) faults.push('the guest is merged and still has a user state');
  const isMerged = became === 'merged';
  const ofAll = [...guest.acknowledged, ...(player?.acknowledged ?? [])];
  const perhaps = [...guest.uncertain, ...(player?.uncertain ?? [])];
  if (isMerged || became === 'linked') faults.push(...wrongEntries(own?.newest, ofAll, perhaps));
  else {
    faults.push(...wrongEntries(ofGuest?.newest, guest.acknowledged, guest.uncertain));
    if (player !== undefined) faults.push(...wrongEntries(own?.newest, player.acknowledged, player.uncertain));
  }
  faults.push(...missingVersions(isMerged ? undefined : ofGuest, guest.acknowledged));
  if (player !== undefined) faults.push(...missingVersions(own, player.acknowledged));
  faults.push(...(await wrongMethods(stage, token, userId)));
  return { became, faults: faults.map((fault) => `${subject} (${ending}): ${fault}`) };
}

interface Versions {
  readonly newest: UserState | undefined;
  readonly of: ReadonlyMap<number, UserState>;
}

/** Every version of a user state, through the routes of developers. */
async function versionsOf(stage: PlayerStage, id: string): Promise<Versions> {
  const path = `${stage.project}/user-states/production/${id}`;
  const sent = { token: stage.developerToken };
  const current = await stage.send('GET', path, sent);
  const of = new Map<number, UserState>();
  if (current.status !== 200) return { newest: undefined, of };
  const newest = current.json.state as UserState;
  for (let version = 1; version <= (current.json.version as number); version++) {
    const answer = await stage.send('GET', `${path}/versions/${version}`, sent);
    if (answer.status === 200) of.set(version, answer.json.state as UserState);
  }
  return { newest, of };
}

/** Checks that each acknowledged entry exists once, and no others exist. */
function wrongEntries(
  userState: UserState | undefined,
  acknowledged: readonly Acknowledged[],
  perhaps: readonly string[],
): string[] {
  const log = userState?.log ?? [];
  const lost = acknowledged.filter(({ entry }) => !log.includes(entry)).map(({ entry }) => `${entry} is lost`);
  const doubled = log.filter((entry, index) => log.indexOf(entry) !== index).map((entry) => `${entry} is there twice`);
  const known = new Set([...acknowledged.map(({ entry }) => entry), ...perhaps]);
  const strange = log.filter((entry) => !known.has(entry)).map((entry) => `${entry} was never acknowledged`);
  return [...lost, ...doubled, ...strange];
}

/** Checks that each entry was added in the version that its response named. */
function missingVersions(versions: Versions | undefined, acknowledged: readonly Acknowledged[]): string[] {
  if (versions === undefined) return [];
  return acknowledged
    .filter(({ entry, version }) => versions.of.get(version)?.log.at(-1) !== entry)
    .map(({ entry, version }) => `version ${version} is not the one that ${entry} came with`);
}

async function wrongMethods(stage: PlayerStage, token: string, userId: string): Promise<string[]> {
  const { status, json } = await stage.send('GET', `${stage.project}/me`, { token });
  const methods = json.methods as readonly unknown[] | undefined;
  const isRight = status === 200 && json.userId === userId && json.guest === false && methods?.length === 1;
  return isRight ? [] : [`/me says ${status} ${JSON.stringify(json)}`];
}
