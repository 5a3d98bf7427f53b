/** The hooks in a real browser, with React 19, strict mode, Suspense and server rendering. */
import { queryOptions } from '@holdfast/client/react';
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { App, clientOf, type Save } from './pages/react-app.ts';
import { newSettings, openReactStage, type ReactStage, reactSuite } from './react.suite.ts';

let stage: ReactStage;
beforeAll(async () => {
  stage = await openReactStage(19);
});
afterAll(() => stage?.stop());

reactSuite(19, () => stage);

test('a server without the document renders a loading state, and sends no request', async () => {
  let requests = 0;
  const client = clientOf({
    ...(await newSettings(stage.world)),
    fetch: (input, init) => {
      requests++;
      return fetch(input, init);
    },
  });
  const html = renderToString(createElement(App, { client }));
  expect(html).toContain('loading');
  expect(html).toContain('waiting'); // the suspended component never gets an undefined state
  expect(requests).toBe(0);
});

test('queryOptions reads a document for TanStack Query', async () => {
  const client = clientOf(await newSettings(stage.world));
  await client.userState.update(() => ({ gold: 3 }));
  const queries = new QueryClient();
  const record: { readonly state: Save } | null = await queries.fetchQuery(queryOptions(client, 'userState'));
  expect(record?.state).toEqual({ gold: 3 });
  expect(queries.getQueryCache().getAll()[0]?.queryKey).toContain('ada');
});
