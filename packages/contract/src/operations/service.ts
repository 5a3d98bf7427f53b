/** The service's description of itself. */
import type { Operation } from '../operation.ts';

const unchanged = { description: 'The version named in `If-None-Match` is still current.' } as const;

export const serviceOperations = {
  readLiveness: {
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    summary: 'Check that the process is alive',
    description:
      'Responds while the process can respond at all. Needs no credential, is not counted, and checks nothing else.',
    access: [],
    success: { 200: { description: 'The process is alive.', schema: 'HealthBody' } },
    codes: [],
  },
  readReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Check that the service is ready',
    description:
      'Returns 200 while storage responds, and 503 while it does not or while the node drains before it stops. Needs no credential and is not counted.',
    access: [],
    success: { 200: { description: 'Storage responds.', schema: 'HealthBody' } },
    codes: ['service_unavailable'],
  },
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'This description',
    description:
      'The description that you are reading, for programs. It lists the operations that this installation serves.',
    access: [],
    success: {
      200: { description: 'OpenAPI 3.1.1.', mediaType: 'application/json' },
      304: unchanged,
    },
    codes: [],
  },
} as const satisfies Record<string, Operation>;
