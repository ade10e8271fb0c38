import type { Kysely } from 'kysely';
import type { Role } from '../../../contract/roles.ts';
import type { Schema } from '../../db/schema.ts';
import { allRoles, builtInRole } from '../../db/stores/role-store.ts';
import type { Directory } from './directory-step.ts';
import { ScimError } from './scim-error.ts';
import { rolesOfDirectory } from './scim-user.ts';

export interface ScimCall {
  readonly directory: Directory;
  /** Address of the clinic's SCIM service. */
  readonly base: string;
  /** Id of the user or group in the path; empty without one. */
  readonly id: string;
  /** Name of the schema or resource type in the path. */
  readonly name: string | undefined;
  readonly query: unknown;
  readonly body: unknown;
}

export interface ScimReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly location?: string;
}

/** Handlers by method and path. */
export type ScimHandlers = Readonly<Record<string, (call: ScimCall) => Promise<ScimReply>>>;

export const notFound = (): ScimError => new ScimError(404, 'Not found');

/** Returns the roles that the directory sees as groups. */
export const groupsOf = async (db: Kysely<Schema>, { directory: { customerId } }: ScimCall): Promise<readonly Role[]> =>
  rolesOfDirectory(await builtInRole(db, 'CustomerAdmin'), await allRoles(db, 'en'), customerId);
