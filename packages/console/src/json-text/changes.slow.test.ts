import { describe, it } from 'vitest';
import { compareGenerated } from './changes.fixture.ts';

describe('the differences between two documents', () => {
  it('give the second document if all are accepted, and the first if none are', () => compareGenerated(5_000));
});
