import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '../../contract/passkey-messages.ts';

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
};

/** CBOR (RFC 8949) of what attestations consist of. */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
};

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const flags = { present: 1, verified: 4, attested: 64 };

/** How a reply differs from that of an honest authenticator. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly isUnverified?: boolean;
  readonly counter?: number;
  /** Account id in the reply. */
  readonly userHandle?: string;
}

/** An independent authenticator (Web Authentication Level 3, section 6) with one discoverable ES256 passkey. */
export const softwarePasskey = (origin: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let counter = 0;
  let userHandle: string | undefined;

  const clientData = (type: string, challenge: string, deviation: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const authenticatorData = (rpId: string, more: number, deviation: Deviation): Buffer => {
    const fixed = Buffer.alloc(5);
    fixed[0] = flags.present | (deviation.isUnverified ? 0 : flags.verified) | more;
    fixed.writeUInt32BE(deviation.counter ?? counter, 1);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), fixed]);
  };

  return {
    id,
    create: (options: PasskeyCreation, deviation: Deviation = {}): PasskeyAttestation => {
      userHandle = options.user.id;
      const key = new Map<number | string, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([0, credentialId.length]);
      const authData = Buffer.concat([
        authenticatorData(options.rp.id, flags.attested, deviation),
        Buffer.alloc(16),
        length,
        credentialId,
        cbor(key),
      ]);
      const attestation = new Map<number | string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** Counts the use, unless the deviation names another counter. */
    use: (options: PasskeyRequest, deviation: Deviation = {}): PasskeyAssertion => {
      counter += 1;
      const data = authenticatorData(options.rpId, 0, deviation);
      const client = clientData('webauthn.get', options.challenge, deviation);
      const handle = deviation.userHandle ? Buffer.from(deviation.userHandle).toString('base64url') : userHandle;
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
          userHandle: handle,
        },
      };
    },
  };
};
export type SoftwarePasskey = ReturnType<typeof softwarePasskey>;
