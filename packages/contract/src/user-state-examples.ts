/** Examples of the states of players. */
export const userStateExamples = {
  MergeBody: {
    guestAssertion: 'eyJhbGciOiJFUzI1NiIsInR5cCI6Imd1ZXN0K2p3dCIsImp3ayI6e319.e30.c2lnbmF0dXJl',
    state: { level: 7, inventory: ['lamp', 'rope'] },
    ifVersion: 10,
    fromVersion: 3,
  },
  UserStateBody: { version: 12, state: { level: 7, inventory: ['lamp', 'rope'] } },
  UserStateListBody: {
    items: [
      {
        endUserId: 'u_81f0c2',
        version: 12,
        state: { level: 7, inventory: ['lamp', 'rope'] },
        updatedAt: '2026-03-02T18:04:11.512Z',
      },
    ],
    cursor: null,
    hasMore: false,
  },
};
