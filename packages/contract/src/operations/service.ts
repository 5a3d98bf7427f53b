/** The service's description of itself. */
import type { Operation } from '../operation.ts';

const unchanged = { description: 'The one that `If-None-Match` names is still the current one.' } as const;

export const serviceOperations = {
  readLiveness: {
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    summary: 'Whether the process lives',
    description:
      'Answers as long as the process can answer at all. It needs no credential, is not counted, and looks at nothing else.',
    access: [],
    success: { 200: { description: 'It does.', schema: 'HealthBody' } },
    codes: [],
  },
  readReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Whether the service can serve',
    description:
      'Answers 200 while storage answers, and 503 while it does not, or once the node drains before a stop. It needs no credential and is not counted.',
    access: [],
    success: { 200: { description: 'Storage answers.', schema: 'HealthBody' } },
    codes: ['service_unavailable'],
  },
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'This description',
    description: 'The description that you are reading, for programs. It names what this installation serves.',
    access: [],
    success: {
      200: { description: 'OpenAPI 3.1.1.', mediaType: 'application/json' },
      304: unchanged,
    },
    codes: [],
  },
} as const satisfies Record<string, Operation>;
