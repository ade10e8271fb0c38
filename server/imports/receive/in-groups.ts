interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that works on one item. Those of the same key that arrive while others are worked on wait, and are worked on together,
 * at most `most` at once. `work` returns a result for each item, in order; its error is that of all of them.
 */
export const inGroups = <Item, Result>(most: number, work: (items: readonly Item[]) => Promise<readonly Result[]>) => {
  const waitingOf = new Map<string, Waiting<Item, Result>[]>();

  const workOn = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('an item of a group has no result'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const one = { item, resolve, reject };
      const waiting = waitingOf.get(key);
      if (waiting) {
        waiting.push(one);
        return;
      }
      const arriving = [one];
      waitingOf.set(key, arriving);
      void (async () => {
        while (arriving.length > 0) await workOn(arriving.splice(0, most));
        waitingOf.delete(key);
      })();
    });
};
