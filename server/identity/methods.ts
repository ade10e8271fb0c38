import type { FastifyInstance } from 'fastify';
import type { OfferedMethod } from '../../contract/sign-in.ts';

/** A way to sign in, or several of one kind. */
export interface Methods {
  /** Those that are configured at this moment. */
  offered(): Promise<readonly OfferedMethod[]>;
  /** Registers its calls, all of them below an interaction. */
  routes(server: FastifyInstance): void;
}
