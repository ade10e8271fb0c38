import { useCallback, useRef, useSyncExternalStore } from 'react';

interface Teller {
  subscribe(observer: { next: () => void; complete: () => void }): { unsubscribe(): void };
}

/**
 * Reads something of actors a few times a second at most: for what is dear to work out, or would flicker. The end of one is told at once.
 * `read` is asked anew when one of the actors speaks, and when `tellers` are others; it may be another function at each rendering.
 */
export const useCalm = <Value>(
  tellers: readonly Teller[],
  read: () => Value,
  same: (one: Value, other: Value) => boolean,
  everyMs: number,
): Value => {
  const held = useRef<{ tellers: readonly Teller[]; stale: boolean; value: Value } | null>(null);
  const subscribe = useCallback(
    (listener: () => void) => {
      let timer: ReturnType<typeof setTimeout> | null = null;
      const tell = () => {
        if (timer !== null) clearTimeout(timer);
        timer = null;
        if (held.current) held.current.stale = true;
        listener();
      };
      const next = () => {
        timer ??= setTimeout(tell, everyMs);
      };
      // What happened between the first reading and this moment was told to nobody.
      if (held.current) held.current.stale = true;
      const subscriptions = tellers.map((one) => one.subscribe({ next, complete: tell }));
      return () => {
        if (timer !== null) clearTimeout(timer);
        for (const subscription of subscriptions) subscription.unsubscribe();
      };
    },
    [tellers, everyMs],
  );
  return useSyncExternalStore(subscribe, () => {
    const last = held.current;
    if (last && last.tellers === tellers && !last.stale) return last.value;
    const value = read();
    held.current = { tellers, stale: false, value: last && same(last.value, value) ? last.value : value };
    return held.current.value;
  });
};

interface Told<Snapshot> extends Teller {
  getSnapshot(): Snapshot;
}

/** `useCalm` of one actor. */
export const useCalmSelector = <Snapshot, Value>(
  actor: Told<Snapshot>,
  select: (snapshot: Snapshot) => Value,
  same: (one: Value, other: Value) => boolean = Object.is,
  everyMs = 200,
): Value => {
  const tellers = useRef<readonly Told<Snapshot>[]>([actor]);
  if (tellers.current[0] !== actor) tellers.current = [actor];
  return useCalm(tellers.current, () => select(actor.getSnapshot()), same, everyMs);
};
