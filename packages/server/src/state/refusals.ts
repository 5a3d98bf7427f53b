/** Refusals of state writes. */
import { stateCharactersMax } from '@holdfast/contract';
import { Refusal } from '../common/refusal.ts';

/** The refusal of a state of this many characters. */
export function tooLarge(code: 'validation_error' | 'patch_state_too_large', characters: number): Refusal {
  return new Refusal(code, `the state would take ${characters} characters; at most ${stateCharactersMax} are stored`);
}

/** The refusal of a write by a player who was merged into another player. @see docs/contract.md §7.16 */
export function playerEnded(): Refusal {
  return new Refusal(
    'not_found',
    'this player has become another one, whose save is the one that counts: nothing is written here',
  );
}
