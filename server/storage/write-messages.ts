/** Requests from the main thread to a writer thread. `file` is a descriptor that stays open until the reply. */
export type WriteRequest =
  | {
      readonly kind: 'write';
      readonly file: number;
      /** Index of the shared memory block that holds the bytes. */
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
      readonly errorCode: string | null;
    }
  | { readonly kind: 'ended'; readonly file: number; readonly sha256: string };
