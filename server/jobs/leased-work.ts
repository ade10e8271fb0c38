/** A row that one node at a time works on. */
export interface Lease {
  readonly seconds: number;
  /** Returns false when another node has the row now. */
  readonly renew: () => Promise<boolean>;
  /** Lets another node continue at once. */
  readonly release: () => Promise<void>;
}

/**
 * Works while the lease is renewed. `signal` of the work aborts when `closing` does, and the lease is released then, or when the lease is lost. After any
 * other failure the lease is kept until it expires, so that a lasting error causes no busy loop.
 */
export const workUnderLease = async (
  { seconds, renew, release }: Lease,
  closing: AbortSignal,
  onFailure: (error: unknown) => void,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const lost = new AbortController();
  const beat = async () => {
    if (!(await renew())) lost.abort(new Error('the lease was lost'));
  };
  const heartbeat = setInterval(() => beat().catch(onFailure), Math.min(1_000, (seconds * 1_000) / 3));
  try {
    await work(AbortSignal.any([closing, lost.signal]));
  } catch (error) {
    if (closing.aborted) return await release();
    if (!lost.signal.aborted) onFailure(error);
  } finally {
    clearInterval(heartbeat);
  }
};
