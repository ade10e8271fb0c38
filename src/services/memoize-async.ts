/** Memoizes a promise; after a rejection the next call tries again. */
export const memoizeAsync = <Answer>(load: () => Promise<Answer>): (() => Promise<Answer>) => {
  let pending: Promise<Answer> | null = null;
  return () => {
    pending ??= load().catch((error: unknown) => {
      pending = null;
      throw error;
    });
    return pending;
  };
};
