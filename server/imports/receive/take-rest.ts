import type { IncomingMessage } from 'node:http';

/**
 * Takes what still comes and throws it away: a browser reads the reply only after it has sent everything. A listener, as `resume` alone does nothing to
 * a stream that was iterated until now.
 */
export const takeRest = (request: IncomingMessage): void => {
  request.on('data', () => undefined);
  request.resume();
};
