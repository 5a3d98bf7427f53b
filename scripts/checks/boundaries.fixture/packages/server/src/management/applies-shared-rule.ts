export { window } from '../limits/quota-refusal.ts';
