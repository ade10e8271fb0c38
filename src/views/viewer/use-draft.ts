import { useCallback, useEffect, useRef, useState } from 'react';
import type { Display } from '../../../contract/displays.ts';

export interface Draft {
  /** What the hand makes of it, or what is settled. */
  readonly display: Display;
  readonly live: (change: Partial<Display>) => void;
  /** Does nothing where nothing was moved. */
  readonly settle: () => void;
  /** Changed and settled at once. */
  readonly change: (change: Partial<Display>) => void;
}

interface DraftWishes {
  readonly imageUid: string | null;
  readonly display: Display;
  readonly onLive: (display: Display) => void;
  readonly onSettle: (display: Display) => void;
}

/** A display while a slider moves it: shown at once by `onLive`, told once by `onSettle` when the hand lets go. */
export const useDraft = ({ imageUid, display, onLive, onSettle }: DraftWishes): Draft => {
  const [draft, setDraft] = useState<{ readonly imageUid: string | null; readonly display: Display } | null>(null);
  const moving = draft?.imageUid === imageUid ? draft.display : null;
  const latest = useRef({ moving, display, onLive, onSettle });
  useEffect(() => {
    latest.current = { moving, display, onLive, onSettle };
  });
  const live = useCallback(
    (change: Partial<Display>) => {
      const now = latest.current;
      const next = { ...(now.moving ?? now.display), ...change };
      latest.current = { ...now, moving: next };
      setDraft({ imageUid, display: next });
      now.onLive(next);
    },
    [imageUid],
  );
  const settle = useCallback(() => {
    const { moving: last, onSettle: tell } = latest.current;
    if (!last) return;
    latest.current = { ...latest.current, moving: null };
    setDraft(null);
    tell(last);
  }, []);
  const change = useCallback(
    (wanted: Partial<Display>) => {
      live(wanted);
      settle();
    },
    [live, settle],
  );
  return { display: moving ?? display, live, settle, change };
};
