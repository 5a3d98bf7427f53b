/** Why a text is not JSON, in words. */

import { textsOf } from '../texts/index.ts';
import { faultSentenceIn, type JsonFault } from './json-fault.ts';

const [, now] = textsOf('json-faults');

/** Describes a fault in a sentence, in the current language. */
export const faultSentence = (fault: JsonFault): string => faultSentenceIn(now(), fault);
