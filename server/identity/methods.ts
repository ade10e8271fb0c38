import type { FastifyInstance } from 'fastify';
import type { OfferedMethod } from '../../contract/sign-in.ts';

/** One sign-in method, or several of one kind. */
export interface Methods {
  /** Returns the methods that are currently configured. */
  offered(): Promise<readonly OfferedMethod[]>;
  /** Registers the routes, all below an interaction. */
  routes(server: FastifyInstance): void;
}
