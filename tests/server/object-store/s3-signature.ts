import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Signature version 4 as published by Amazon ("Authenticating Requests: Using Query Parameters", "... Using the Authorization Header"),
 * implemented for tests from that text without the SDK: s3rver itself does not check signatures of this version.
 */
export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type Verdict = 'good' | 'AccessDenied' | 'SignatureDoesNotMatch';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

interface Signed {
  readonly credential: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: string;
  readonly payload: string;
}

const fromQuery = (query: URLSearchParams): Signed => ({
  credential: query.get('X-Amz-Credential') ?? '',
  signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
  signature: query.get('X-Amz-Signature') ?? '',
  date: query.get('X-Amz-Date') ?? '',
  payload: 'UNSIGNED-PAYLOAD',
});

const fromHeaders = ({ headers }: IncomingMessage): Signed => {
  const part = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(headers.authorization ?? '')?.[1] ?? '';
  return {
    credential: part('Credential'),
    signedHeaders: part('SignedHeaders').split(';'),
    signature: part('Signature'),
    date: String(headers['x-amz-date'] ?? ''),
    payload: String(headers['x-amz-content-sha256'] ?? ''),
  };
};

const momentOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const canonicalQuery = (raw: string): string =>
  raw
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');

const expected = (request: IncomingMessage, path: string, query: string, keys: Keys, signed: Signed): Buffer => {
  const [, ...scope] = signed.credential.split('/');
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...signed.signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signed.signedHeaders.join(';'),
    signed.payload,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', signed.date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  return hmac(key, toSign);
};

/** Returns whether the request has a valid, unexpired signature by these keys. */
export const verify = (request: IncomingMessage, keys: Keys): Verdict => {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const parameters = new URLSearchParams(query);
  const isPresigned = parameters.has('X-Amz-Signature');
  if (!isPresigned && !request.headers.authorization) return 'AccessDenied';
  const signed = isPresigned ? fromQuery(parameters) : fromHeaders(request);
  const seconds = isPresigned ? Number(parameters.get('X-Amz-Expires')) : 15 * 60;
  if (!(Date.now() <= momentOf(signed.date) + seconds * 1000)) return 'AccessDenied';
  if (!signed.signedHeaders.includes('host')) return 'AccessDenied';
  if (signed.credential.split('/')[0] !== keys.accessKeyId) return 'AccessDenied';
  const expectedSignature = expected(request, path, query, keys, signed);
  const given = Buffer.from(signed.signature, 'hex');
  return given.length === expectedSignature.length && timingSafeEqual(given, expectedSignature)
    ? 'good'
    : 'SignatureDoesNotMatch';
};
