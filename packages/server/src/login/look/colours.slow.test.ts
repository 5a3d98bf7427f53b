import { it } from 'vitest';
import { expectVisible } from './colours.fixture.ts';

it('every brand gets text and edges that are visible on their background, in either scheme', () => expectVisible(3_000));
