/** Examples of the records of histories. */
const item = {
  version: 3,
  comment: 'bought a chest',
  stateSizeBytes: 24,
  createdAt: '2026-03-01T09:30:00.000Z',
  author: { kind: 'service_account' as const, id: 'sa_3pXeTq8LwZcY', name: 'Game server' },
};

export const historyExamples = {
  HistoryBody: {
    items: [
      {
        version: 3,
        comment: 'open the shop',
        stateSizeBytes: 68,
        createdAt: '2026-03-02T18:04:11.512Z',
        author: { kind: 'api_key' as const, id: 'key_7Yp2Vn', name: 'web server' },
      },
      {
        version: 2,
        comment: null,
        stateSizeBytes: 2,
        createdAt: '2026-03-01T09:30:00.000Z',
        author: { kind: 'developer' as const, id: 'usr_3fGh7KmQp2RtXw9ZbCdEjN', name: 'Ada' },
      },
    ],
    cursor: null,
    hasMore: false,
  },

  SaveRetentionBody: { versions: 20, days: 30 },
  SaveHistoryBody: { items: [item], cursor: null, hasMore: false },
  SaveHistoryItemBody: item,
  SaveAuthorBody: item.author,
  SaveVersionBody: { version: 3, state: { gold: 120, level: 4 }, comment: 'bought a chest', stateSizeBytes: 24 },
};
