/** What reads of both kinds of state share. */
import { noProject } from '../../common/requests/refusal.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { ReadOutcome } from '../../storage/contract/public-states.ts';

/** Characters of state text in one step of a listing, in addition to its first version: as much as a few writes bring. */
export const listingCharactersMax = 100_000;

/** The record that a read found, or null if there is none. Refuses `not_found` if the project does not exist. */
export function recordOf<Found>(outcome: ReadOutcome<Found>, key: ProjectKey): Found | null {
  switch (outcome.kind) {
    case 'present':
      return outcome.record;
    case 'absent':
      return null;
    case 'no_project':
      throw noProject(key);
  }
}
