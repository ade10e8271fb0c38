/** The AE title of the program that sends. */
export const senderTitle = 'BENCH';

/** An archive that takes images by C-STORE: ours or the peer. */
export interface BenchProvider {
  readonly name: string;
  readonly aeTitle: string;
  readonly dicomPort: number;
  /** Makes ready for the images of a run, whose patient ID is its name. */
  readonly expect: (run: string) => Promise<void>;
  /** Images of a study that searches find. */
  readonly indexed: (studyUid: string) => Promise<number>;
  /** Waits until it is idle, because background work must not slow down the other one. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}
