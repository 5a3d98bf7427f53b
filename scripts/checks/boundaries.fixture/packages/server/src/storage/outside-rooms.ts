// breaks: storage-has-rooms
export { StoreUnavailable } from './store.ts';
