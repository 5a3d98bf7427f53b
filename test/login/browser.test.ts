/** The login pages in a real browser: one browser and one server for all of it. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { appearanceSuite } from './appearance.suite.ts';
import { federationSuite } from './federation.suite.ts';
import { passkeySuite } from './passkey.suite.ts';
import { passwordSuite } from './password.suite.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
afterEach(() => {
  expect(stage.strays, 'requests that left the origin').toEqual([]);
});

passwordSuite(() => stage);
passkeySuite(() => stage);
federationSuite(() => stage);
appearanceSuite(() => stage);
