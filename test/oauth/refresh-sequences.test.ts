import { sequencesSuite } from './refresh-sequences.suite.ts';

sequencesSuite(5);
