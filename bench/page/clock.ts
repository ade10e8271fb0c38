/** Width of the row of pixels that is read back after each frame. */
export const probeWidth = 32;

/** Runs animation frames immediately, so that waiting for the display is not measured. Returns a function that restores the browser's own. */
export const framesAtOnce = (): (() => void) => {
  const { requestAnimationFrame, cancelAnimationFrame } = window;
  let last = 0;
  const cancelled = new Set<number>();
  window.requestAnimationFrame = (callback) => {
    const id = ++last;
    queueMicrotask(() => {
      if (!cancelled.delete(id)) callback(performance.now());
    });
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    cancelled.add(id);
  };
  return () => {
    window.requestAnimationFrame = requestAnimationFrame;
    window.cancelAnimationFrame = cancelAnimationFrame;
  };
};

/** Lets every microtask run that is due, and those that they start, without leaving the task. */
export const microtasks = async (): Promise<void> => {
  for (let count = 0; count < 20; count++) await Promise.resolve();
};

/** Measures `count` steps, each in ms. `readStep` returns the drawn pixels: a step that changes nothing is an error. */
export const timed = async (
  count: number,
  step: (index: number) => void,
  readStep: () => string,
): Promise<readonly number[]> => {
  const restoreFrames = framesAtOnce();
  try {
    const times: number[] = [];
    let previous = readStep();
    for (let index = 0; index < count; index++) {
      const start = performance.now();
      step(index);
      await microtasks();
      const current = readStep();
      times.push(performance.now() - start);
      if (current === previous) throw new Error(`step ${index} has drawn nothing new: ${current}`);
      previous = current;
    }
    return times;
  } finally {
    restoreFrames();
  }
};

/** Adds a host element to the page. */
export const hostOf = (width: number, height: number, left = 0, top = 0): HTMLElement => {
  const host = document.createElement('div');
  host.className = 'host';
  host.style.cssText = `width:${width}px;height:${height}px;left:${left}px;top:${top}px`;
  document.body.append(host);
  return host;
};
