import type { IncomingMessage } from 'node:http';

/** Chunks that are buffered before the sender has to wait. */
const maxWaiting = 4;

/**
 * Yields the request body chunk by chunk as received. A plain `for await` over the request concatenates waiting chunks, which costs a copy. A
 * caller that stops early may discard the rest with `drainRequest`.
 * @throws when the connection closes early
 */
export const requestChunks = async function* (request: IncomingMessage): AsyncGenerator<Buffer, void> {
  const waiting: Buffer[] = [];
  let ended = false;
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  const onData = (chunk: Buffer) => {
    waiting.push(chunk);
    if (waiting.length >= maxWaiting) request.pause();
    wake();
  };
  const onEnd = () => {
    ended = true;
    wake();
  };
  const onError = (error: Error) => {
    failure ??= error;
    wake();
  };
  const onClose = () => {
    if (!ended) onError(new Error('the sender went away'));
  };
  request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  if (request.readableEnded) onEnd();
  else if (request.destroyed) onClose();
  try {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk) {
        yield chunk;
        continue;
      }
      if (failure) throw failure;
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        request.resume();
      });
    }
  } finally {
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    // A later error has no listener and must not end the process.
    request.off('error', onError).on('error', () => undefined);
  }
};
