import { z } from 'zod';

/*
 * Messages between the archive and the browser's calls for passkeys (Web Authentication Level 3, sections 5.1.8 to 5.1.10). Bytes are base64url.
 */

/** Second factors of an account. An account with either one has recovery codes. */
export const secondFactor = z.enum(['authenticator', 'passkey']);
export type SecondFactorKind = z.infer<typeof secondFactor>;

const base64url = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/);
/** Credential id: at most 1023 bytes, 1364 characters in base64url. */
const credentialId = base64url(1364);
const publicKeyType = z.literal('public-key');

export const passkeyDescriptor = z.object({
  id: credentialId,
  type: publicKeyType,
  transports: z.array(z.string()).optional(),
});

/** Options of `navigator.credentials.get`. An empty `allowCredentials` lets the user choose any passkey of this archive. */
export const passkeyRequest = z.object({
  challenge: base64url(100),
  timeout: z.number().int(),
  rpId: z.string(),
  allowCredentials: z.array(passkeyDescriptor),
  userVerification: z.literal('required'),
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** Options of `navigator.credentials.create`. */
export const passkeyCreation = z.object({
  challenge: base64url(100),
  timeout: z.number().int(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: base64url(100), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number().int(), type: publicKeyType })),
  excludeCredentials: z.array(passkeyDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

/** Fields of both replies; fields that browsers add are dropped. */
const credentialFields = { id: credentialId, rawId: credentialId, type: publicKeyType };

/** Reply of `navigator.credentials.get`. */
export const passkeyAssertion = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(8_000),
    authenticatorData: base64url(8_000),
    signature: base64url(8_000),
    userHandle: base64url(100).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** Reply of `navigator.credentials.create`. */
export const passkeyAttestation = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(8_000),
    attestationObject: base64url(32_000),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>;
