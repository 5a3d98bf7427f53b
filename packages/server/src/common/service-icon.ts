/** The mark of the service as an icon for browser tabs: a picture inside the page, so that nothing is fetched. */
import { type Html, html } from './html.ts';

/** Returns the picture as a data address. */
export const svgAddress = (svg: Html): string => `data:image/svg+xml,${encodeURIComponent(svg.text)}`;

/** The mark of the service, strands above and a root below, on its own background. */
export const markIcon = svgAddress(
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0c3633"/><path d="M16 21V4M16 21C16 14 9 14 9 6M16 21c0-7 7-7 7-15M16 21c-2.5 3-6 2.5-8.5 7M16 21c2.5 3 6 2.5 8.5 7M16 21v7.5" fill="none" stroke="#8fd3be" stroke-width="2.5" stroke-linecap="round"/></svg>`,
);
