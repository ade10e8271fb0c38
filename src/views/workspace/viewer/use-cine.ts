import { useEffect, useEffectEvent, useState } from 'react';
import type { Images } from '../../../viewer/index.ts';

export const slowestCine = 1;
export const fastestCine = 30;

export interface Cine {
  readonly playing: boolean;
  readonly framesPerSecond: number;
  readonly loop: boolean;
  readonly setPlaying: (playing: boolean) => void;
  readonly setFramesPerSecond: (framesPerSecond: number) => void;
  readonly setLoop: (loop: boolean) => void;
}

interface CineOptions {
  readonly images: Pick<Images, 'load'> | null;
  readonly source: string | null;
  readonly frame: number;
  readonly frames: number;
  readonly onFrame: (frame: number) => void;
}

/** Returns the frame after `frame`; null at the end without a loop. */
export const frameAfter = (frame: number, frames: number, loop: boolean): number | null =>
  frame < frames ? frame + 1 : loop && frames > 1 ? 1 : null;

/** Number of frames to preload, in the stage's order. */
const ahead = 4;

/**
 * Plays the frames of an image. A frame is shown when it is due and loaded, whichever is later: on a slow network playback
 * slows down and never skips a frame.
 */
export const useCine = ({ images, source, frame, frames, onFrame }: CineOptions): Cine => {
  const [playingOf, setPlayingOf] = useState<string | null>(null);
  const [framesPerSecond, setFramesPerSecond] = useState(10);
  const [loop, setLoop] = useState(true);
  const playing = playingOf !== null && playingOf === source && frames > 1;
  const showFrame = useEffectEvent(onFrame);

  useEffect(() => {
    if (!playing || !images || source === null) return;
    const next = frameAfter(frame, frames, loop);
    if (next === null) return setPlayingOf(null);
    const stop = new AbortController();
    const due = new Promise((resolve) => setTimeout(resolve, 1000 / framesPerSecond));
    const load = (number: number) =>
      images.load(source, number, { level: 'reduced', priority: 4, signal: stop.signal });
    let coming: number | null = next;
    for (let count = 0; count < ahead && coming !== null; count++) {
      // A preload error is reported when the frame is due.
      if (count > 0) load(coming).catch(() => {});
      coming = frameAfter(coming, frames, loop);
    }
    Promise.all([load(next), due]).then(
      () => {
        if (!stop.signal.aborted) showFrame(next);
      },
      () => {
        if (!stop.signal.aborted) setPlayingOf(null);
      },
    );
    return () => stop.abort();
  }, [playing, images, source, frame, frames, loop, framesPerSecond]);

  return {
    playing,
    framesPerSecond,
    loop,
    setPlaying: (play) => setPlayingOf(play ? source : null),
    setFramesPerSecond,
    setLoop,
  };
};
