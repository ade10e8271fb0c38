/** What the main thread asks of a thread that writes. `file` is a descriptor that the main thread keeps open until it has the answer. */
export type WriteRequest =
  | {
      readonly kind: 'write';
      readonly file: number;
      /** Number of the block of shared memory that holds the bytes. */
      readonly block: number;
      readonly length: number;
      readonly position: number;
    }
  | { readonly kind: 'end'; readonly file: number };

export type WriteReply =
  | {
      readonly kind: 'written';
      readonly file: number;
      readonly block: number /** errno */;
      readonly fault: string | null;
    }
  | { readonly kind: 'ended'; readonly file: number; readonly sha256: string };
