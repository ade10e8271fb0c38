import type { IncomingMessage } from 'node:http';

/** So many chunks wait for us before the sender has to. */
const mostWaiting = 4;

/**
 * The body of a request, chunk by chunk as it came off the socket. A plain `for await` over the request glues waiting chunks together, at the price of
 * another copy. Whoever stops early may let the rest go by (`takeRest`). Nobody else holds the chunks.
 * @throws when the sender goes away
 */
export const chunksOf = async function* (request: IncomingMessage): AsyncGenerator<Buffer, void> {
  const waiting: Buffer[] = [];
  let ended = false;
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  const onData = (chunk: Buffer) => {
    waiting.push(chunk);
    if (waiting.length >= mostWaiting) request.pause();
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
    // An error that comes later has nobody to tell, and must not end the program.
    request.off('error', onError).on('error', () => undefined);
  }
};
