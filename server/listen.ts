import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartupError } from './startup-error.ts';

interface ListenAddress {
  readonly port: number;
  readonly host: string;
}

/** Names of the settings of an address, for error texts. */
interface AddressSettings {
  readonly port: string;
  readonly host: string;
}

const flags: AddressSettings = { port: '--port', host: '--host' };

/** Returns the error to show when an address cannot be opened. */
export const asAddressError = (error: unknown, { port, host }: ListenAddress, settings = flags): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartupError(`Port ${port} is in use by another program: choose one with ${settings.port}`);
  if (code === 'EACCES')
    return new StartupError(`Port ${port} requires privileges: choose one above 1023 with ${settings.port}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartupError(`This machine has no address ${host}: choose one with ${settings.host}`);
  return error;
};

/** Checks that the port is free before the slow work of a first start. @throws StartupError */
export const ensurePortFree = async (address: ListenAddress, settings = flags): Promise<void> => {
  const probe = createServer().listen(address.port, address.host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw asAddressError(error, address, settings);
  }
  probe.close();
  await once(probe, 'close');
};

/** Opens the port. @throws StartupError when it is in use or not permitted */
export const listen = async (server: FastifyInstance, address: ListenAddress): Promise<void> => {
  try {
    await server.listen({ port: address.port, host: address.host });
  } catch (error) {
    throw asAddressError(error, address);
  }
};
