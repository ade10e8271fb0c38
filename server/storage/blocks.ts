/** Blocks of shared memory, lent out one by one: a bound on what is on its way to the disk. */
export const createBlocks = (count: number, blockBytes: number) => {
  const memory = new SharedArrayBuffer(count * blockBytes);
  const free = Array.from({ length: count }, (_, index) => index);
  const waiting: ((block: number) => void)[] = [];
  return {
    memory,
    /** The number of a free block; whoever asked first gets it first. */
    take: (): Promise<number> | number => {
      const block = waiting.length === 0 ? free.pop() : undefined;
      return block ?? new Promise((resolve) => waiting.push(resolve));
    },
    giveBack: (block: number): void => {
      const next = waiting.shift();
      if (next) next(block);
      else free.push(block);
    },
    /** Copies the chunks, together at most one block, one behind the other. Returns their length. */
    fill: (block: number, chunks: readonly Uint8Array[]): number => {
      const target = new Uint8Array(memory, block * blockBytes, blockBytes);
      let length = 0;
      for (const chunk of chunks) {
        target.set(chunk, length);
        length += chunk.byteLength;
      }
      return length;
    },
  };
};
