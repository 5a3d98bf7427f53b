/** Pages of long lists. */

/** A position in a list, newest first: a time of creation, and a tie-break that is unique for that time. */
export interface PagePosition {
  readonly createdAt: number;
  readonly tie: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The position after which the next page begins; null at the end. */
  readonly next: PagePosition | null;
}

export interface PageRequest {
  readonly after: PagePosition | null;
  readonly itemsMax: number;
}
