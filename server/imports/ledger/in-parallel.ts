/** Runs `work` over `items`, at most `limit` at a time. Rejects with the first failure; what runs then is waited for, nothing new begins. */
export const inParallel = async <Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const queue = items[Symbol.iterator]();
  let failed = false;
  const lane = async () => {
    for (const item of queue) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: Math.min(limit, items.length) }, lane);
  const results = await Promise.allSettled(lanes);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
};
