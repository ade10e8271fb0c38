/** Pixels side by side that are read back after each frame. */
export const seen = 32;

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

/** How long each of `count` steps takes, in ms; `readStep` proves that the step has been drawn and differs from the previous one. */
export const timed = async (
  count: number,
  step: (index: number) => void,
  readStep: () => string,
): Promise<readonly number[]> => {
  const back = framesAtOnce();
  try {
    const times: number[] = [];
    let before = readStep();
    for (let index = 0; index < count; index++) {
      const start = performance.now();
      step(index);
      await microtasks();
      const seen = readStep();
      times.push(performance.now() - start);
      if (seen === before) throw new Error(`step ${index} has drawn nothing new: ${seen}`);
      before = seen;
    }
    return times;
  } finally {
    back();
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
