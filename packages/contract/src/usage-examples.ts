/** Examples of records of usage. */

export const usageExamples = {
  UsageBody: {
    period: { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' },
    apiRequests: { used: 48_210, limit: 1_000_000 },
    projects: { used: 3, limit: 10 },
    endUsers: { used: 912, limit: null },
    storageBytes: { used: 7_340_032, limit: null },
    daily: [
      { start: '2026-03-13T00:00:00.000Z', apiRequests: 3_107 },
      { start: '2026-03-14T00:00:00.000Z', apiRequests: 1_290 },
    ],
  },
  RequestFiguresBody: {
    period: { start: '2026-03-13T00:00:00.000Z', end: '2026-03-15T00:00:00.000Z' },
    requests: 4_397,
    errors: [{ code: 'version_conflict', requests: 12 }],
    daily: [
      { start: '2026-03-13T00:00:00.000Z', requests: 3_107, errors: [{ code: 'version_conflict', requests: 12 }] },
      { start: '2026-03-14T00:00:00.000Z', requests: 1_290, errors: [] },
    ],
    callers: [
      {
        projectSlug: 'hello',
        kind: 'end_user' as const,
        id: null,
        name: null,
        requests: 4_296,
        errors: [{ code: 'version_conflict', requests: 12 }],
      },
      { projectSlug: 'hello', kind: 'api_key' as const, id: 'key_3kQ9', name: 'web server', requests: 101, errors: [] },
    ],
    openStreams: [{ projectSlug: 'hello', publicState: 41, userState: 7 }],
  },
};
