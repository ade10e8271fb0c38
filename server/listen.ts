import type { FastifyInstance } from 'fastify';
import { StartRefused } from './start-refused.ts';

/** Opens the port. Throws StartRefused naming it where another program has it, or where we may not. */
export const listen = async (
  server: FastifyInstance,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<void> => {
  try {
    await server.listen({ port, host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new StartRefused(`Port ${port} is in use by another program: choose one with --port`);
    if (code === 'EACCES')
      throw new StartRefused(`Port ${port} needs rights that we do not have: choose one above 1023 with --port`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartRefused(`This machine has no address ${host}: choose one with --host`);
    throw error;
  }
};
