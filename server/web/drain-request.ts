import type { IncomingMessage } from 'node:http';

/**
 * Reads and discards the rest of a request, because a browser reads the reply only after it has sent everything. Uses a listener, since
 * `resume` alone does nothing to a stream that has been iterated.
 */
export const drainRequest = (request: IncomingMessage): void => {
  request.on('data', () => undefined);
  request.resume();
};
