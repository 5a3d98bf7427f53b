/** Findings about sign-in settings of projects. */
import type { UnconfiguredProviders } from '../storage/cold/inspection.ts';
import { type Finding, findingOf } from './doctor-findings.ts';

const found = findingOf('database');

/** Returns a note for each project that allows sign-in methods that no user can use. */
export function examineSignIn(projects: readonly UnconfiguredProviders[]): Finding[] {
  return projects.map(({ accountId, slug, providerIds }) => {
    return found(
      'note',
      `end users of ${accountId}/${slug} cannot sign in by ${providerIds.join(', ')}, which is allowed and not configured`,
      `configure it (PUT /v1/${accountId}/identity-providers/${providerIds[0]}), or take it out of allowedIdps`,
    );
  });
}
