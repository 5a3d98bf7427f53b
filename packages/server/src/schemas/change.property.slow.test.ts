/** `HOLDFAST_SCHEMAS_FULL=1` tries a million. */
import { it } from 'vitest';
import { validateLikeOracle } from './change.property.fixture.ts';

const patches = process.env.HOLDFAST_SCHEMAS_FULL === '1' ? 1_000_000 : 4_000;

it(`validates ${patches} random patches like the oracle`, { timeout: 600_000 }, () => validateLikeOracle(patches));
