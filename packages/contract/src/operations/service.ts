/** What the service says of itself. */
import type { Operation } from '../operation.ts';

export const serviceOperations = {
  readLiveness: {
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    summary: 'Whether the process lives',
    access: [],
    success: { 200: { description: 'It does.', schema: 'HealthBody' } },
    codes: [],
  },
  readReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Whether the service can serve',
    access: [],
    success: { 200: { description: 'Storage answers.', schema: 'HealthBody' } },
    codes: ['service_unavailable'],
  },
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'This description',
    access: [],
    success: { 200: { description: 'OpenAPI 3.1.1.', mediaType: 'application/json' } },
    codes: [],
  },
  readReference: {
    method: 'GET',
    path: '/docs',
    tag: 'Service',
    summary: 'This description as a page',
    access: [],
    success: { 200: { description: 'A page that needs nothing from elsewhere.', mediaType: 'text/html' } },
    codes: [],
  },
} as const satisfies Record<string, Operation>;
