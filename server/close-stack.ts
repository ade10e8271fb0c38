/** A stack of close functions, called in reverse order; each is called even if another one fails. */
export interface CloseStack {
  add(close: () => unknown): void;
  /** Closes everything once; further calls return the same promise. Rejects with the first error after all functions were called. */
  closeAll(): Promise<void>;
}

export const createCloseStack = (): CloseStack => {
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
