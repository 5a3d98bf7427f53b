/** An example of each record of service accounts. */
const createdAt = '2026-03-01T09:30:00.000Z';
const robot = {
  id: 'sa_5hTq8WcR2xLm9VbN3kYdZp',
  name: 'deployment',
  role: 'editor' as const,
  environments: ['production' as const],
  createdAt,
  lastUsedAt: '2026-03-02T18:04:11.512Z',
  expiresAt: null,
  secrets: [{ secretId: 'sec_6jKp1RtY4wSx8QaB2nMfGh', createdAt, lastUsedAt: '2026-03-02T18:04:11.512Z' }],
};

export const serviceAccountExamples = {
  ServiceAccountBody: robot,
  CreateServiceAccountBody: { name: robot.name, role: robot.role, environments: robot.environments },
  CreatedServiceAccountBody: {
    ...robot,
    lastUsedAt: null,
    secrets: [{ secretId: 'sec_6jKp1RtY4wSx8QaB2nMfGh', createdAt, lastUsedAt: null }],
    clientSecret: 'svcs_4nRt…',
  },
  ServiceAccountListBody: { items: [robot] },
  CreatedServiceAccountSecretBody: { secretId: 'sec_2pWm7ZcV9bXk4LdF6gHjQs', clientSecret: 'svcs_8mKp…' },
};
