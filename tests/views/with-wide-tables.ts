import { afterEach, beforeEach, vi } from 'vitest';

/** Gives tables the width that jsdom lacks, and their tests more time. Call it once in a test file. */
export const withWideTables = () => {
  vi.setConfig({ testTimeout: 90_000 });

  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
};
