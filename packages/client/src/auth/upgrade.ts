import { tellAll } from '../listeners.ts';
import { baseUrlOf, fetchOf, segmentOf } from '../service.ts';
import { browserStorage, guarded } from '../storage.ts';
import type { Auth } from './auth.ts';
import type { User } from './claims.ts';
import { createGuest, type GuestAuthOptions, type GuestOptions, type GuestProver, prover } from './guest.ts';
import type { Merged, MergeFailure, MergeOptions, Merger, MergeSaves } from './merge.ts';
import { challengeOf } from './pkce.ts';
import { isRetired } from './retired.ts';
import { createAuth, redeemer, type SignedIn, type SignInOptions, type SignInRequest } from './sign-in.ts';
import type { TokenResponse } from './token-endpoint.ts';

/** Plays as a guest first. Signing up keeps the save. */
export interface UpgradableGuestOptions extends GuestOptions, Omit<SignInOptions, 'storage' | 'developer'> {
  /**
   * Called when the identity already has a save. Returns the save that replaces the existing one; the rules for players'
   * writes apply. Without it, the existing save stays.
   */
  readonly merge?: MergeSaves;
  /** Called after a merge. */
  readonly onMerged?: (merged: Merged) => void;
  /** Called when a merge is refused or `merge` fails. Without it, the error is reported as uncaught. The page tries again each time it starts. */
  readonly onMergeFailed?: (failure: MergeFailure) => void;
}

/** Options of {@link createUpgradableGuest}. */
export interface UpgradableAuthOptions extends Omit<UpgradableGuestOptions, 'guest'>, GuestAuthOptions {}

/** A guest who can sign up. */
export interface UpgradableAuth extends Auth {
  /** Whether the device plays as a guest. */
  readonly isGuest: boolean;
  /** Opens the login page, where the guest signs up or in and keeps the save. Resolves as `signIn` does. */
  upgrade(request?: SignInRequest): Promise<void>;
  /** Completes an upgrade on the redirect page. Returns who signed in, or null if the browser does not come from the login page. */
  handleRedirect(url?: string): Promise<SignedIn | null>;
  /** Finishes an interrupted or refused merge, with another function if given. This also happens automatically when the page starts. */
  finishMerge(merge?: MergeSaves): Promise<Merged | null>;
  /** Signs out. The device then plays as a new guest, or as the one that was not merged. */
  signOut(): Promise<void>;
  /** Returns a valid access token. */
  accessToken(): Promise<string>;
}

/** Returns the sign-in of a guest who can sign up later. */
export function createUpgradableGuest(options: UpgradableAuthOptions): UpgradableAuth {
  const baseUrl = baseUrlOf(options?.baseUrl);
  const { accountId, project, environment } = options;
  const clientId = `${segmentOf('accountId', accountId)}.${segmentOf('project', project)}`;
  const given = fetchOf(options.fetch);
  const fetch: typeof globalThis.fetch = (input, init) => given(input, init);
  const storage = guarded(options.storage ?? browserStorage());
  const mergeName = `holdfast:merge:${baseUrl}:${clientId}:${environment}`;
  const guest = createGuest(options);
  const signIn = createAuth({
    ...options,
    [redeemer]: redeemerFor(guest[prover], {
      note: () => storage.set(mergeName, '{}'),
      forget: () => storage.delete(mergeName),
    }),
  });
  const merging = mergeLater({
    path: `${baseUrl}/v1/${segmentOf('accountId', accountId)}/projects/${segmentOf('project', project)}`,
    environment,
    fetch,
    storage,
    name: mergeName,
    guest,
    prover: guest[prover],
    signIn,
    merge: options.merge,
    onMerged: options.onMerged,
    onMergeFailed: options.onMergeFailed,
  });
  const userNow = (): User | null => signIn.user ?? guest.user;
  let ready: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await Promise.all([signIn.ready, guest.ready]);
    if (signIn.user !== null) void merging.start().catch(() => {});
  };
  const active = async (): Promise<typeof signIn | typeof guest> => {
    await signIn.ready;
    return signIn.user === null ? guest : signIn;
  };
  return {
    get user() {
      return userNow();
    },
    get isGuest() {
      return signIn.user === null;
    },
    get ready() {
      ready ??= begin();
      return ready;
    },
    onChange: changesOf([guest, signIn], userNow),
    upgrade: (request) => signIn.signIn(request),
    async handleRedirect(url) {
      const signedIn = await signIn.handleRedirect(url);
      if (signedIn !== null) await merging.start().catch(() => {}); // the next page continues it
      return signedIn;
    },
    finishMerge: (merge) => merging.finish(merge),
    signOut: () => signIn.signOut(),
    close: () => signIn.close?.(),
    accessToken: async () => (await active()).accessToken(),
    authorization: async () => (await active()).authorization(),
    renew: async (rejected) => (await active()).renew(rejected),
  };
}

/** Returns the means to finish a merge. Few guests merge, so their module is loaded only if a merge has begun. */
function mergeLater(options: MergeOptions): Merger {
  let loaded: Promise<Merger> | undefined;
  const { storage, name, prover, signIn } = options;
  /** Null if there is nothing to merge. */
  const load = async (): Promise<Merger | null> => {
    await signIn.ready;
    if (signIn.user === null) return null; // the device still plays as the guest
    if ((await storage.get(name)) === undefined) {
      await prover.forget(); // it belongs to the player who has signed up
      return null;
    }
    loaded ??= import('./merge.ts').then(({ merger }) => merger(options));
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
  return {
    finish: async (merge) => (await load())?.finish(merge) ?? null,
    start: async () => (await load())?.start(),
  };
}

const timeoutMs = 15_000;

/** Returns a function that tells listeners each change of the user, from both sign-ins. */
function changesOf(both: readonly Auth[], userNow: () => User | null): Auth['onChange'] {
  const listeners = new Set<(user: User | null) => void>();
  let last = userNow();
  for (const one of both) {
    one.onChange(() => {
      const user = userNow();
      if (JSON.stringify(user) === JSON.stringify(last)) return;
      last = user;
      tellAll(listeners, user);
    });
  }
  return (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}

/** The record that a merge has begun. */
interface MergeRecord {
  note(): Promise<void>;
  forget(): Promise<void>;
}

/** Returns a code exchange for a guest. The record is right before the tokens are stored. */
function redeemerFor({ prove, keys, endpoint }: GuestProver, record: MergeRecord) {
  return async (code: string, code_verifier: string, redirect_uri: string): Promise<TokenResponse> => {
    const form = { grant_type: 'authorization_code', code, code_verifier, redirect_uri };
    // A device that has never played has nothing to keep.
    if (!(await keys.exists())) return endpoint.exchange(form, timeoutMs);
    const link_code = await challengeOf(code);
    try {
      const issued = await prove({ link_code }, (link_assertion) =>
        endpoint.exchange({ ...form, link_assertion }, timeoutMs),
      );
      // A page killed after this is still a guest.
      await (issued.link === 'in_use' ? record.note() : record.forget());
      return issued;
    } catch (failure) {
      if (!isRetired(failure)) throw failure;
      return endpoint.exchange(form, timeoutMs); // the key belongs to another player, who has signed up
    }
  };
}
