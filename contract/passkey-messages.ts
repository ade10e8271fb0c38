import { z } from 'zod';

/*
 * Messages between the archive and the browser's calls for passkeys (Web Authentication Level 3, sections 5.1.8 to 5.1.10). Bytes are base64url.
 */

/** Second factors of an account. Recovery codes belong to both. */
export const secondFactor = z.enum(['authenticator', 'passkey']);
export type SecondFactorKind = z.infer<typeof secondFactor>;

const bytes = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\w-]+$/);
/** Longest credential id, 1023 bytes. */
const credentialId = bytes(1364);
const type = z.literal('public-key');

export const passkeyDescriptor = z.object({ id: credentialId, type, transports: z.array(z.string()).optional() });

/** Options of `navigator.credentials.get`. Without `allowCredentials` the user chooses among the passkeys for the archive. */
export const passkeyRequest = z.object({
  challenge: bytes(100),
  timeout: z.number().int(),
  rpId: z.string(),
  allowCredentials: z.array(passkeyDescriptor),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** Options of `navigator.credentials.create`. */
export const passkeyCreation = z.object({
  challenge: bytes(100),
  timeout: z.number().int(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: bytes(100), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type })),
  excludeCredentials: z.array(passkeyDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

/** What browsers add is dropped. */
const credential = { id: credentialId, rawId: credentialId, type };

/** Reply of `navigator.credentials.get`. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    authenticatorData: bytes(8_000),
    signature: bytes(8_000),
    userHandle: bytes(100).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** Reply of `navigator.credentials.create`. */
export const passkeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_000),
    attestationObject: bytes(32_000),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>;
