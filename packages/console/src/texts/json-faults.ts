/** Why a text is not JSON, in words. */
import { faultSentenceIn, type JsonFault } from '../state/json-fault.ts';
import { textsOf } from './index.ts';

const [, now] = textsOf('json-faults');

/** Describes a fault in a sentence, in the current language. */
export const faultSentence = (fault: JsonFault): string => faultSentenceIn(now(), fault);
