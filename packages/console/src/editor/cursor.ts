/** Where the cursor of the editor is. Only what shows it is drawn again when it moves, which it does with every key. */
import { useSyncExternalStore } from 'react';

interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Cursor {
  now(): Position;
  move(line: number, column: number): void;
  /** Calls `onMove` after each move, until the returned function is called. */
  follow(onMove: () => void): () => void;
}

/** Returns a cursor at the start of a text. */
export function createCursor(): Cursor {
  let position: Position = { line: 1, column: 1 };
  const followers = new Set<() => void>();
  return {
    now: () => position,
    move(line, column) {
      if (line === position.line && column === position.column) return;
      position = { line, column };
      for (const onMove of followers) onMove();
    },
    follow(onMove) {
      followers.add(onMove);
      return () => followers.delete(onMove);
    },
  };
}

export const usePosition = (cursor: Cursor): Position => useSyncExternalStore(cursor.follow, cursor.now);
