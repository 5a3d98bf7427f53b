/** An example of each record of players. */
const createdAt = '2026-03-01T09:30:00.000Z';
const block = { reason: 'Bought gold with a stolen card', until: '2099-04-01T00:00:00.000Z', blockedAt: createdAt };
const player = {
  userId: 'usr_6tPq1RcW9xLm2VbN5kYdZh',
  guest: false,
  email: 'ada@example.com',
  name: 'Ada',
  providers: ['google.com', 'password'],
  createdAt,
  lastSignInAt: '2026-03-02T18:04:11.512Z',
  blocked: null,
  states: [
    { environment: 'production' as const, version: 41, updatedAt: '2026-03-02T18:20:00.000Z', stateSizeBytes: 1_204 },
  ],
};

export const playerExamples = {
  PlayerBody: player,
  PlayerListBody: { items: [player], cursor: null, hasMore: false },
  PlayerBlockBody: block,
  BlockPlayerBody: { reason: block.reason, until: block.until },
  MeBody: {
    userId: player.userId,
    guest: false,
    createdAt,
    methods: [{ id: 'mth_3vRt8YcQ1xWm6LbN4kPdZs', provider: 'password', email: 'ada@example.com' }],
  },
  PlayerExportBody: {
    userId: player.userId,
    methods: [{ id: 'mth_3vRt8YcQ1xWm6LbN4kPdZs', provider: 'password', email: 'ada@example.com' }],
    environments: { production: { version: 41, state: { gold: 120 }, versions: [] } },
  },
};
