import { test } from 'vitest';
import { withTwoNodes } from '../fixtures/two-nodes.fixture.ts';
import { refreshInParallel, repeatDuringRefresh, sweepOnTwoNodes } from './sign-in-races.fixture.ts';

const at = withTwoNodes();

test('of 200 parallel uses on two nodes one succeeds, the next revokes, and the others find nothing', () =>
  refreshInParallel(at, 200));
test('a code that is repeated during a refresh leaves nothing usable', () => repeatDuringRefresh(at, 40));
test('sweeps on two nodes together remove each sign-in once', () => sweepOnTwoNodes(at, 300));
