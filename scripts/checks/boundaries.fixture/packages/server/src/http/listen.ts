import { Refusal } from '../common/requests/refusal.ts';

/** Reading process.env is something that a comment may speak of. */
export const listen = () => new Refusal();
