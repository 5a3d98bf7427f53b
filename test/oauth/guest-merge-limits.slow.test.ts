/** Abuse of merges: undoing server writes, and storing data that no quota counts. @see docs/contract.md §7.17 */
import { it } from 'vitest';
import { raceWritesOfServers, startLimited } from './guest-merge-limits.fixture.ts';

startLimited();

it('no merge undoes a server’s write, whatever its version', () => raceWritesOfServers(6, 12));
