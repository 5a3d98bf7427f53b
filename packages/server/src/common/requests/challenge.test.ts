import { describe, expect, it } from 'vitest';
import { challengeHeader, credentialMissing, credentialRejected } from './challenge.ts';

describe('a challenge', () => {
  it('advertises only Bearer without a credential', () => {
    expect(credentialMissing()).toMatchObject({ code: 'unauthorized', challenge: { kind: 'none' } });
    expect(challengeHeader({ kind: 'none' })).toBe('Bearer');
  });

  it('explains why a credential was rejected', () => {
    const { challenge } = credentialRejected('the token expired');
    expect(challenge && challengeHeader(challenge)).toBe(
      'Bearer error="invalid_token", error_description="the token expired"',
    );
  });
});
