/** The documentation, for people and for programs that read for them, and the client for their pages. */
import type { Operation } from '../operation.ts';

const unchanged = { description: 'The version named in `If-None-Match` is still current.' } as const;
const page = { description: 'A self-contained page.', mediaType: 'text/html' } as const;
const client = { description: 'An ES module.', mediaType: 'text/javascript' } as const;

export const documentationOperations = {
  readReference: {
    method: 'GET',
    path: '/docs/reference',
    tag: 'Service',
    summary: 'This description as pages',
    description:
      'The description that you are reading: a list of operations, with a page for each subject. They work without scripts.',
    access: [],
    success: { 200: page, 304: unchanged },
    codes: [],
  },
  readDocumentation: {
    method: 'GET',
    path: '/docs',
    tag: 'Service',
    summary: 'The documentation',
    description: 'The first page of the documentation, with every route and a link to its description.',
    access: [],
    success: { 200: page, 304: unchanged },
    codes: [],
  },
  readDocumentationPage: {
    method: 'GET',
    path: '/docs/{docsPath}',
    tag: 'Service',
    summary: 'A page or file of the documentation',
    isUndescribed: true,
    hasRest: true,
    access: [],
    success: {
      200: { description: 'A page or file.', mediaType: '*/*' },
      303: { description: 'Redirect to `/docs`.' },
      304: unchanged,
    },
    codes: ['not_found'],
    otherErrors: { 404: 'page' },
  },
  readClient: {
    method: 'GET',
    path: '/client.js',
    tag: 'Service',
    summary: 'The TypeScript client as one file',
    isUndescribed: true,
    anyOrigin: true,
    access: [],
    success: { 200: client, 304: unchanged },
    codes: [],
  },
  readHashedClient: {
    method: 'GET',
    path: '/client.{clientHash}.js',
    tag: 'Service',
    summary: 'The TypeScript client as one file that never changes',
    isUndescribed: true,
    anyOrigin: true,
    access: [],
    success: { 200: client, 304: unchanged },
    codes: ['not_found'],
  },
  readDocumentationList: {
    method: 'GET',
    path: '/llms.txt',
    tag: 'Service',
    summary: 'The pages of the documentation, for language models',
    isUndescribed: true,
    access: [],
    success: { 200: { description: 'A list in Markdown.', mediaType: 'text/plain' }, 304: unchanged },
    codes: [],
  },
  readDocumentationText: {
    method: 'GET',
    path: '/llms-full.txt',
    tag: 'Service',
    summary: 'All documentation in one file',
    isUndescribed: true,
    access: [],
    success: { 200: { description: 'Every page in Markdown.', mediaType: 'text/plain' }, 304: unchanged },
    codes: [],
  },
} as const satisfies Record<string, Operation>;
