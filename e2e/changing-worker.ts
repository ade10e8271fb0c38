import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChangingWorker {
  readonly url: string;
  /** From now on serves a service worker of another build. */
  change(): void;
  close(): Promise<void>;
}

/** Creates a proxy in front of the archive that can replace the service worker, as a deployment does. */
export const changingWorker = async (archive: string): Promise<ChangingWorker> => {
  let version = 0;
  const server = createServer((incoming, reply) => {
    const { method, url, headers } = incoming;
    const passed = request(new URL(url ?? '/', archive), { ...(method && { method }), headers }, (answer) => {
      const isWorker = url === '/service-worker.js';
      const { 'content-length': length, ...rest } = answer.headers;
      reply.writeHead(answer.statusCode ?? 502, isWorker || length === undefined ? rest : answer.headers);
      if (isWorker) reply.write(`/* ${version} */\n`);
      answer.pipe(reply);
    });
    passed.on('error', () => reply.writeHead(502).end());
    if (url === '/service-worker.js') {
      passed.setHeader('accept-encoding', 'identity');
      // Conditional headers are dropped: a 304 would refer to the archive's own worker.
      for (const name of ['if-none-match', 'if-modified-since']) passed.removeHeader(name);
    }
    incoming.pipe(passed);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    change: () => {
      version += 1;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
