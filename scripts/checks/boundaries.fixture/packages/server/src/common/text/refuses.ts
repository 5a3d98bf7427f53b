// breaks: helpers-refuse-nothing
export { Refusal } from '../requests/refusal.ts';
