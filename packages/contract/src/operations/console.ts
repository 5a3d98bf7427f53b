/** The console: pages and files for people, outside the described interface. */
import type { Operation } from '../operation.ts';

export const consoleOperations = {
  readHome: {
    method: 'GET',
    path: '/',
    tag: 'Service',
    summary: 'Redirect a browser to the console',
    isUndescribed: true,
    access: [],
    success: { 303: { description: 'Redirect to the console.' } },
    codes: ['not_found'],
  },
  enterConsole: {
    method: 'GET',
    path: '/console',
    tag: 'Service',
    summary: 'Redirect to the console',
    isUndescribed: true,
    access: [],
    success: { 303: { description: 'Redirect to the console.' } },
    codes: ['not_found'],
  },
  readConsole: {
    method: 'GET',
    path: '/console/{consolePath}',
    tag: 'Service',
    summary: 'A page or file of the console',
    isUndescribed: true,
    hasRest: true,
    access: [],
    success: { 200: { description: 'A page or file.', mediaType: '*/*' } },
    codes: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
