/** What components of React 19 show before the service has answered, in a real browser. */
import { firstFrameSuite } from './react-first-frame.suite.ts';

firstFrameSuite(19);
