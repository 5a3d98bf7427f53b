/** Why a text is not JSON, in words. They are separate, so that the first page does not load them. */
import { faultSentenceIn, type JsonFault } from '../state/json-fault.ts';
import { readerOf } from './language.ts';
import { subjects } from './subjects.ts';

const now = readerOf(subjects['json-faults']);

/** Describes a fault in a sentence, in the current language. */
export const faultSentence = (fault: JsonFault): string => faultSentenceIn(now(), fault);
