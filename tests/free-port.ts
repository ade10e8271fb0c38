import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const listening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.close();
  return listening;
};

/** A port on which no process listens now, below those that the system gives to connections, so that it stays free. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
};
