/** Creates a fixed number of shared memory blocks, which bounds the bytes waiting for the disk. */
export const createBlocks = (count: number, blockBytes: number) => {
  const memory = new SharedArrayBuffer(count * blockBytes);
  const free = Array.from({ length: count }, (_, index) => index);
  const waiting: ((block: number) => void)[] = [];
  return {
    memory,
    /** Resolves with the number of a free block; requests are served in order. */
    take: (): Promise<number> | number => {
      const block = waiting.length === 0 ? free.pop() : undefined;
      return block ?? new Promise((resolve) => waiting.push(resolve));
    },
    giveBack: (block: number): void => {
      const next = waiting.shift();
      if (next) next(block);
      else free.push(block);
    },
    /** Copies the chunks, together at most one block, one after the other. Returns their length. */
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
