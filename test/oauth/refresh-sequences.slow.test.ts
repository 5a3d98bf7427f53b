/** `REFRESH_SEQUENCES=1000` runs more. */
import { sequencesSuite } from './refresh-sequences.suite.ts';

sequencesSuite(Number(process.env.REFRESH_SEQUENCES ?? 25));
