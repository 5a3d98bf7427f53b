/** More former guests than one transaction changes. */
import { erasedLinksSuite } from './erased-links.suite.ts';

erasedLinksSuite(2_500);
