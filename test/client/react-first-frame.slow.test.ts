/** First renders of React 18 components, before the first response, in a real browser. */
import { firstFrameSuite } from './react-first-frame.suite.ts';

firstFrameSuite(18);
