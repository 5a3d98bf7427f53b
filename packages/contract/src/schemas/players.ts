/** Records of players, as developers see them. */
import Type from 'typebox';
import { blockReasonCharactersMax, countedPlayersMax } from '../limits.ts';
import { EnvironmentName, nullable, page, Time, text, Version } from './fields.ts';
import { Comment, State } from './state.ts';

const PlayerId = Type.String({ description: 'The end-user id: `user_id` of the tokens.' });
const provider = Type.String({ description: 'How the player signed in: `password`, `google.com`, `oidc.*` and so on.' });
const email = nullable(
  Type.String({ description: 'The verified email address of a sign-in; null if the provider gave none.' }),
);

export const PlayerBlockBody = Type.Object({
  reason: nullable(Type.String({ description: 'The reason for the block; null if none was given.' })),
  until: nullable(Time, 'When the block expires; null: never.'),
  blockedAt: Time,
});
export type PlayerBlockBody = Type.Static<typeof PlayerBlockBody>;

export const BlockPlayerBody = Type.Object({
  reason: Type.Optional(
    nullable(
      text(blockReasonCharactersMax, { description: 'For the team; not shown to the player. Omitted or null: none.' }),
    ),
  ),
  until: Type.Optional(nullable(Time, 'When the block expires, in the future. Omitted or null: never.')),
});
export type BlockPlayerBody = Type.Static<typeof BlockPlayerBody>;

export const PlayerStateBody = Type.Object({
  environment: EnvironmentName,
  version: Version,
  updatedAt: Time,
  stateSizeBytes: Type.Integer({ minimum: 0, description: 'UTF-8 bytes of the compact JSON text.' }),
});

export const PlayerBody = Type.Object({
  userId: PlayerId,
  guest: Type.Boolean({ description: 'Whether the player has never signed in and is identified only by a device key.' }),
  email: Type.Optional(email),
  name: Type.Optional(nullable(Type.String({ description: 'The name from the provider; null if it gave none.' }))),
  providers: Type.Array(provider, { description: 'How the player signed in, in alphabetical order.' }),
  createdAt: nullable(Time, 'When the player first signed in or saved; null if unknown.'),
  lastSignInAt: nullable(Time, 'Null for guests, and for players without a recorded sign-in.'),
  blocked: nullable(PlayerBlockBody, 'The block in this project; null if there is none.'),
  states: Type.Array(PlayerStateBody, { description: 'The saves in the environments of this project.' }),
});
export type PlayerBody = Type.Static<typeof PlayerBody>;

export const PlayerMatchesBody = Type.Object(
  {
    count: Type.Integer({ minimum: 0, maximum: countedPlayersMax }),
    isExact: Type.Boolean({ description: 'False if there are more matches.' }),
    sort: Type.Enum(['key', 'last_sign_in', 'last_save'], { description: 'The order of the page.' }),
  },
  { description: 'Only with `count` or `sort`.' },
);

export const PlayerListBody = Type.Object({
  ...page(PlayerBody, 'Players. A page may have fewer than requested although more follow.').properties,
  matches: Type.Optional(PlayerMatchesBody),
});
export type PlayerListBody = Type.Static<typeof PlayerListBody>;

export const PlayerMethodBody = Type.Object({
  id: Type.String({ description: 'Identifier of the method; not secret.' }),
  provider,
  email,
});

export const MeBody = Type.Object({
  userId: PlayerId,
  guest: Type.Boolean({ description: 'Whether the player is identified only by a device key.' }),
  createdAt: nullable(Time, 'When the player first signed in or saved; null for a guest without a save.'),
  methods: Type.Array(PlayerMethodBody, { description: 'How the player signs in.' }),
});
export type MeBody = Type.Static<typeof MeBody>;

export const ExportedVersionBody = Type.Object({ version: Version, state: State, updatedAt: Time, comment: Comment });
export const ExportedStateBody = Type.Object({
  version: Version,
  state: State,
  versions: Type.Array(ExportedVersionBody, { description: 'Kept earlier versions, newest first.' }),
});

export const ExportedStatesBody = Type.Object(
  {
    development: Type.Optional(ExportedStateBody),
    staging: Type.Optional(ExportedStateBody),
    production: Type.Optional(ExportedStateBody),
  },
  { description: 'The saves, by environment.' },
);

export const PlayerExportBody = Type.Object({
  userId: PlayerId,
  methods: Type.Array(PlayerMethodBody, { description: 'How the player signs in.' }),
  environments: ExportedStatesBody,
});
export type PlayerExportBody = Type.Static<typeof PlayerExportBody>;
