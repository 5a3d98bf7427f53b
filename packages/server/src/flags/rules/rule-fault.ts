/** The fault of a rule or a flag, in words for the developer. */
import { type Filling, type FlagFaultPattern, fill } from '@holdfast/contract/messages';

export class RuleFault extends Error {}

export const ruleFault = <Pattern extends FlagFaultPattern>(pattern: Pattern, ...parameters: Filling<Pattern>): RuleFault =>
  new RuleFault(fill(pattern, ...parameters));
