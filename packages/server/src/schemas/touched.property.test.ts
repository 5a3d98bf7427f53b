import { it } from 'vitest';
import { validateTouched } from './touched.property.fixture.ts';

it('gives the same result for 300 random patches', () => validateTouched(300));
