import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Images, LoadedImage } from '../../../src/viewer/index.ts';
import { frameAfter, useCine } from '../../../src/views/workspace/viewer/use-cine.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('cine playback', () => {
  it('restarts at the end only in a loop', () => {
    expect([frameAfter(1, 3, false), frameAfter(3, 3, false), frameAfter(3, 3, true)]).toEqual([2, null, 1]);
    expect(frameAfter(1, 1, true)).toBeNull();
  });

  const openFilm = (load: Images['load']) => {
    vi.useFakeTimers();
    const onFrame = vi.fn();
    const images = { load };
    const hook = renderHook(({ frame }) => useCine({ images, source: 'a', frame, frames: 5, onFrame }), {
      initialProps: { frame: 1 },
    });
    act(() => hook.result.current.setPlaying(true));
    return { onFrame, hook };
  };

  it('shows the next frame when it is due, and preloads the following ones', async () => {
    const requests: number[] = [];
    const load: Images['load'] = async (_, frame = 1) => {
      requests.push(frame);
      return {} as LoadedImage;
    };
    const { onFrame } = openFilm(load);
    expect(requests.toSorted()).toEqual([2, 3, 4, 5]);
    await vi.advanceTimersByTimeAsync(99);
    expect(onFrame).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onFrame).toHaveBeenCalledExactlyOnceWith(2);
  });

  it('waits for a slow frame, and never skips it', async () => {
    const waiting = new Map<number, () => void>();
    const load: Images['load'] = (_, frame = 1) =>
      new Promise((resolve) => {
        waiting.set(frame, () => resolve({} as LoadedImage));
      });
    const { onFrame } = openFilm(load);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onFrame).not.toHaveBeenCalled();
    waiting.get(2)?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(onFrame).toHaveBeenCalledExactlyOnceWith(2);
  });

  it('stops at the end without a loop, and at a frame that fails to load', async () => {
    const { hook } = openFilm(async () => ({}) as LoadedImage);
    act(() => hook.result.current.setLoop(false));
    hook.rerender({ frame: 5 });
    expect(hook.result.current.playing).toBe(false);

    const broken = openFilm(() => Promise.reject(new Error('gone')));
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(broken.hook.result.current.playing).toBe(false);
  });
});
