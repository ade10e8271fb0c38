import { useEffect, useRef, useState } from 'react';
import type { Images } from '../../viewer/index.ts';

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

interface CineWishes {
  readonly images: Pick<Images, 'load'> | null;
  readonly source: string | null;
  readonly frame: number;
  readonly frames: number;
  readonly onFrame: (frame: number) => void;
}

/** The frame after `frame`; null at the end of what is not repeated. */
export const frameAfter = (frame: number, frames: number, loop: boolean): number | null =>
  frame < frames ? frame + 1 : loop && frames > 1 ? 1 : null;

/** Frames asked for ahead of the one that is shown, as the stage will ask for them first. */
const ahead = 4;

/**
 * Plays the frames of an image. The next frame is shown when its time has come and it is loaded, whichever is later: a slow line makes it slower, and
 * never skips a frame.
 */
export const useCine = ({ images, source, frame, frames, onFrame }: CineWishes): Cine => {
  const [playingOf, setPlayingOf] = useState<string | null>(null);
  const [framesPerSecond, setFramesPerSecond] = useState(10);
  const [loop, setLoop] = useState(true);
  const playing = playingOf !== null && playingOf === source && frames > 1;
  const tell = useRef(onFrame);
  useEffect(() => {
    tell.current = onFrame;
  });

  useEffect(() => {
    if (!playing || !images || source === null) return;
    const next = frameAfter(frame, frames, loop);
    if (next === null) return setPlayingOf(null);
    const stop = new AbortController();
    const due = new Promise((resolve) => setTimeout(resolve, 1000 / framesPerSecond));
    const load = (wanted: number) =>
      images.load(source, wanted, { level: 'reduced', priority: 4, signal: stop.signal });
    let coming: number | null = next;
    for (let count = 0; count < ahead && coming !== null; count++) {
      // What cannot be loaded ahead is told when its turn comes.
      if (count > 0) load(coming).catch(() => {});
      coming = frameAfter(coming, frames, loop);
    }
    Promise.all([load(next), due]).then(
      () => {
        if (!stop.signal.aborted) tell.current(next);
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
    setPlaying: (wanted) => setPlayingOf(wanted ? source : null),
    setFramesPerSecond,
    setLoop,
  };
};
