// breaks: access-rules-know-nobody
export { Refusal } from '../../common/requests/refusal.ts';
