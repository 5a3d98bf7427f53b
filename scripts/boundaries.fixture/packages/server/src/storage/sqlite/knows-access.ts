// breaks: engine-knows-its-driver-only
export { Refusal } from '../../access/refusal.ts';
