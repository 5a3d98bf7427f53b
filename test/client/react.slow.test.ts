/** The hooks in a real browser, with React 18, strict mode, Suspense and server rendering. */
import { afterAll, beforeAll } from 'vitest';
import { openReactStage, type ReactStage, reactSuite } from './react.suite.ts';

let stage: ReactStage;
beforeAll(async () => {
  stage = await openReactStage(18);
});
afterAll(() => stage?.stop());

reactSuite(18, () => stage);
