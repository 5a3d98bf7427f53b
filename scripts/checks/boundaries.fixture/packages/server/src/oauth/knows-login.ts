// breaks: domain-knows-no-transport
export { page } from '../login/replies.ts';
