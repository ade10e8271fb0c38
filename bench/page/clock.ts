/** Pixels side by side that are read back after each frame. */
export const seen = 32;

/** Runs frames at once, so that waiting for the screen is not counted. Returns what puts the browser's own back. */
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
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** How long each of `count` steps takes, in ms; `look` proves that the step has been drawn and that it differs from the one before. */
export const timed = async (
  count: number,
  step: (index: number) => void,
  look: () => string,
): Promise<readonly number[]> => {
  const back = framesAtOnce();
  try {
    const times: number[] = [];
    let before = look();
    for (let index = 0; index < count; index++) {
      const start = performance.now();
      step(index);
      await microtasks();
      const seen = look();
      times.push(performance.now() - start);
      if (seen === before) throw new Error(`step ${index} has drawn nothing new: ${seen}`);
      before = seen;
    }
    return times;
  } finally {
    back();
  }
};

/** A place of its own on the page; `remove` takes it away. */
export const hostOf = (width: number, height: number, left = 0, top = 0): HTMLElement => {
  const host = document.createElement('div');
  host.className = 'host';
  host.style.cssText = `width:${width}px;height:${height}px;left:${left}px;top:${top}px`;
  document.body.append(host);
  return host;
};
