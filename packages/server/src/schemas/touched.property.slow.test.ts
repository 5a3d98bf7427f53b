/** `HOLDFAST_SCHEMAS_FULL=1` tries a million. */
import { it } from 'vitest';
import { validateTouched } from './touched.property.fixture.ts';

const patches = process.env.HOLDFAST_SCHEMAS_FULL === '1' ? 1_000_000 : 1_500;

it(`gives the same result for ${patches} random patches`, { timeout: 600_000 }, () => validateTouched(patches));
