import { useState } from 'react';

/** Where a record lies. */
export type Side = 'list' | 'bin';

interface Move {
  readonly to: Side;
  /** When the archive had done it, in milliseconds since 1970; null while it has not answered. */
  readonly doneAt: number | null;
}

/** Whether a record that an answer of the archive names is to be left out, for it was moved since. `answeredAt`: milliseconds since 1970. */
export type IsGone = (id: string, answeredAt: number) => boolean;

/**
 * Which records went from a list into the recycle bin, or out of it, on this page. What was moved is hidden where it was, but only from answers
 * that the archive gave before: when it names a record again, the record is there again, whoever brought it back.
 */
export const useMoved = () => {
  const [moves, setMoves] = useState<ReadonlyMap<string, Move>>(new Map());
  return {
    put: (to: Side) => (id: string) => setMoves((now) => new Map(now).set(id, { to, doneAt: null })),
    /** The archive has done it. */
    done: (id: string) =>
      setMoves((now) => {
        const move = now.get(id);
        return move ? new Map(now).set(id, { ...move, doneAt: Date.now() }) : now;
      }),
    /** Gone from this side. */
    goneFrom:
      (side: Side): IsGone =>
      (id, answeredAt) => {
        const move = moves.get(id);
        return move !== undefined && move.to !== side && (move.doneAt === null || answeredAt <= move.doneAt);
      },
  };
};
