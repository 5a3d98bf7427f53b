import { erasedLinksSuite } from './erased-links.suite.ts';

erasedLinksSuite(40_000);
