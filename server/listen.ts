import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartupError } from './startup-error.ts';

interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

const toStartupError = (error: unknown, { port, host }: ListenAddress): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartupError(`Port ${port} is in use by another program: choose one with --port`);
  if (code === 'EACCES') return new StartupError(`Port ${port} requires privileges: choose one above 1023 with --port`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartupError(`This machine has no address ${host}: choose one with --host`);
  return error;
};

/** Checks that the port is free before the slow work of a first start. @throws StartupError */
export const ensurePortFree = async (address: ListenAddress): Promise<void> => {
  const probe = createServer().listen(address.port, address.host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw toStartupError(error, address);
  }
  probe.close();
  await once(probe, 'close');
};

/** Opens the port. @throws StartupError when it is in use or not permitted */
export const listen = async (server: FastifyInstance, address: ListenAddress): Promise<void> => {
  try {
    await server.listen({ port: address.port, host: address.host });
  } catch (error) {
    throw toStartupError(error, address);
  }
};
