/** Findings about projects' sign-in settings, and about users. */
import type { DuplicateUsers, UnconfiguredProviders } from '../../storage/sql/upkeep/inspection.ts';
import { type Finding, findingOf } from './findings.ts';

const found = findingOf('database');

/** Returns a note for each project that allows sign-in methods unavailable to all users. */
export function examineSignIn(projects: readonly UnconfiguredProviders[]): Finding[] {
  return projects.map(({ accountId, slug, providerIds }) => {
    return found(
      'note',
      `end users of ${accountId}/${slug} cannot sign in by ${providerIds.join(', ')}, which is allowed and not configured`,
      `configure it (PUT /v1/${accountId}/identity-providers/${providerIds[0]}), or take it out of allowedIdps`,
    );
  });
}

/** Returns a note for each pair of users with the same email address. */
export function examineDuplicateUsers(duplicateUsers: readonly DuplicateUsers[]): Finding[] {
  return duplicateUsers.map(({ accountId, userIds }) => {
    const subject = accountId === null ? 'developers' : `users of ${accountId}`;
    return found(
      'note',
      `the ${subject} ${userIds.join(' and ')} have the same email address, in two forms of its domain`,
      'each signs in with the address as it was typed at sign-up: ask the person which of the two to keep, and delete the other',
    );
  });
}
