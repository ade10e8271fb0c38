import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartRefused } from './start-refused.ts';

interface Place {
  readonly port: number;
  readonly host: string;
}

const clearly = (error: unknown, { port, host }: Place): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartRefused(`Port ${port} is in use by another program: choose one with --port`);
  if (code === 'EACCES')
    return new StartRefused(`Port ${port} needs rights that we do not have: choose one above 1023 with --port`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartRefused(`This machine has no address ${host}: choose one with --host`);
  return error;
};

/** Whether the port can be had, asked before the long work of a first start. Throws StartRefused. */
export const ensurePortFree = async (place: Place): Promise<void> => {
  const probe = createServer().listen(place.port, place.host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw clearly(error, place);
  }
  probe.close();
  await once(probe, 'close');
};

/** Opens the port. Throws StartRefused naming it where another program has it, or where we may not. */
export const listen = async (server: FastifyInstance, place: Place): Promise<void> => {
  try {
    await server.listen({ port: place.port, host: place.host });
  } catch (error) {
    throw clearly(error, place);
  }
};
