import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';
import type { Vault } from '../vault.ts';

type Payload = Record<string, unknown>;

const sealedPayload = z.object({ sealed: z.string() });
const context = 'oidc';

/** Types whose payloads name no grant. */
export const plainTypes: readonly string[] = ['Grant', 'EndedRefreshToken'];

/** Encrypts the payload of a model: it names the grant, which with a signing key is a session. */
export const sealPayload = async (
  db: Kysely<Schema>,
  vault: Vault,
  type: string,
  payload: Payload,
): Promise<Payload> => {
  if (plainTypes.includes(type)) return payload;
  const text = JSON.stringify(payload);
  const sealed = await vault.seal(db, context, text);
  return sealed === text ? payload : { sealed };
};

/** @throws SecretsLocked */
export const openPayload = async (db: Kysely<Schema>, vault: Vault, payload: Payload): Promise<Payload> => {
  const { data } = sealedPayload.safeParse(payload);
  return data ? JSON.parse(await vault.open(db, context, data.sealed)) : payload;
};
