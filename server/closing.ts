/** What was opened, to be closed in the opposite order; each part is closed even when another one fails. */
export interface Closing {
  add(close: () => unknown): void;
  /** Closes everything, once: whoever calls again waits for the same end. Rejects with the first failure after all had their turn. */
  closeAll(): Promise<void>;
}

export const closing = (): Closing => {
  const parts: (() => unknown)[] = [];
  let ending: Promise<void> | null = null;

  const endAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const close of parts.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  return {
    add: (close) => parts.push(close),
    closeAll: () => {
      ending ??= endAll();
      return ending;
    },
  };
};
