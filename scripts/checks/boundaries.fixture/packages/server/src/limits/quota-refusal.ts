// breaks: shared-rules-depend-on-nobody
export { window } from './window.ts';
