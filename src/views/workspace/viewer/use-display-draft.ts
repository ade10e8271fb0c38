import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Display } from '../../../../contract/displays.ts';

export interface Draft {
  /** The display being dragged, or the settled one. */
  readonly display: Display;
  readonly live: (change: Partial<Display>) => void;
  /** Does nothing when nothing was changed. */
  readonly settle: () => void;
  /** Changes and settles at once. */
  readonly change: (change: Partial<Display>) => void;
}

interface DisplayDraftOptions {
  readonly imageUid: string | null;
  readonly display: Display;
  readonly onLive: (display: Display) => void;
  readonly onSettle: (display: Display) => void;
}

/**
 * Holds what a slider changes while it moves: `onLive` on each change, `onSettle` once on release. It stores only the changed
 * fields, so that a key pressed meanwhile is not undone.
 */
export const useDisplayDraft = ({ imageUid, display, onLive, onSettle }: DisplayDraftOptions): Draft => {
  const [draft, setDraft] = useState<{
    readonly imageUid: string | null;
    readonly change: Partial<Display>;
  } | null>(null);
  const moving = draft?.imageUid === imageUid ? draft.change : null;
  const latest = useRef({ moving, display, onLive, onSettle });
  useLayoutEffect(() => {
    latest.current = { moving, display, onLive, onSettle };
  });
  const live = useCallback(
    (change: Partial<Display>) => {
      const now = latest.current;
      const next = { ...now.moving, ...change };
      latest.current = { ...now, moving: next };
      setDraft({ imageUid, change: next });
      now.onLive({ ...now.display, ...next });
    },
    [imageUid],
  );
  const settle = useCallback(() => {
    const { moving: last, display: settled, onSettle: notify } = latest.current;
    if (!last) return;
    latest.current = { ...latest.current, moving: null };
    setDraft(null);
    notify({ ...settled, ...last });
  }, []);
  const change = useCallback(
    (next: Partial<Display>) => {
      live(next);
      settle();
    },
    [live, settle],
  );
  return { display: { ...display, ...moving }, live, settle, change };
};
