import { it } from 'vitest';
import { validateLikeOracle } from './change.property.fixture.ts';

it('validates 400 random patches like the oracle', () => validateLikeOracle(400));
