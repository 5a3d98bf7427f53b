export interface Store {
  close(): void;
}
export class StoreUnavailable extends Error {}
