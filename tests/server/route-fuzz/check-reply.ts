import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { type Problem, problem } from '../../../contract/problem.ts';
import { bytes, type Route } from '../../../contract/route.ts';
import type { HostileRequest } from './hostile-request.ts';
import type { Reply } from './send.ts';

const jsonIn = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};

const strictProblem = problem.strict();
const isJson = ({ headers }: Reply): boolean => headers['content-type'] === 'application/json; charset=utf-8';

/** Problem codes of which one status stands for an absent service, as the tests have no mail, text messages or object store. */
export const ofAbsentServices: readonly Problem['code'][] = ['object-store-away', 'method-away', 'cannot-send-email'];

const statusOfCode = new Map<string, number>();

/** DICOMweb names each refused object in a reply of its own with this status (PS3.18 10.5.3). */
const namesRefusedObjects = ({ status, headers, body }: Reply): boolean =>
  status === 409 && headers['content-type'] === 'application/dicom+json' && body.includes('"00081198"');

const problemFault = (reply: Reply): string | null => {
  if (namesRefusedObjects(reply)) return null;
  if (!isJson(reply)) return `a problem of type ${reply.headers['content-type']}`;
  const parsed = strictProblem.safeParse(jsonIn(reply.body));
  if (!parsed.success) return `no problem of the contract: ${parsed.error.issues.map(({ path }) => path.join('.'))}`;
  const { code, requestId } = parsed.data;
  if (reply.status >= 500 && !ofAbsentServices.includes(code)) return `${code}`;
  // Such a request reaches no route (server/web/client-errors.ts).
  if (reply.status === 431 && code === 'invalid-request') return null;
  if (requestId !== reply.headers['x-request-id']) return 'another request id than that of the header';
  if (code === 'invalid-request') return reply.status === 400 || reply.status === 415 ? null : `status of ${code}`;
  const known = statusOfCode.get(code) ?? reply.status;
  statusOfCode.set(code, known);
  return known === reply.status ? null : `${code} has also the status ${known}`;
};

const successFault = (
  route: Route,
  { headers, status }: HostileRequestAndReply['reply'],
  body: Buffer,
  isHead: boolean,
) => {
  if (status !== 200) return `status ${status} is not of the contract`;
  if (isHead) return null;
  if (route.reply === bytes) return headers['content-type'] ? null : 'bytes without a type';
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    return `a reply of type ${headers['content-type']}`;
  const parsed = route.reply.safeParse(jsonIn(body));
  return parsed.success ? null : `breaks the contract at ${parsed.error.issues.map(({ path }) => path.join('.'))}`;
};

interface HostileRequestAndReply {
  readonly hostile: HostileRequest;
  readonly reply: Reply;
}

/** Replies of a stored file to a condition or a range, which have no body (RFC 9110). */
const ofConditions: readonly number[] = [304, 416];

/** Returns how a reply breaks the contract; null when it does not. */
export const faultOf = (route: Route, { hostile, reply }: HostileRequestAndReply): string | null => {
  const { status, headers, body } = reply;
  if (!STATUS_CODES[status]) return 'no status of HTTP';
  if (headers['x-request-id'] === undefined && status !== 431) return 'no request id';
  const isHead = hostile.method === 'HEAD';
  if (route.reply === bytes && status === 206 && hostile.headers.range)
    return headers['content-range'] ? null : 'no content-range';
  if (route.reply === bytes && ofConditions.includes(status) && body.length === 0) return null;
  if (!headers['cache-control']) return 'no cache-control';
  if (status >= 400) return isHead ? null : problemFault(reply);
  // Another route may have answered.
  if (!isHead && hostile.method !== route.method) return null;
  if (hostile.isInvalid) return 'accepted a body that the contract rejects';
  return successFault(route, reply, body, isHead);
};

const oauthError = z.strictObject({
  error: z.string(),
  error_description: z.string().optional(),
  iss: z.string().optional(),
  state: z.string().optional(),
});

const scimError = z.strictObject({
  schemas: z.tuple([z.literal('urn:ietf:params:scim:api:messages:2.0:Error')]),
  status: z.string(),
  scimType: z.string().optional(),
  detail: z.string(),
});
const isScimError = ({ headers, body, status }: Reply): boolean => {
  const { data } = scimError.safeParse(jsonIn(body));
  return headers['content-type'] === 'application/scim+json; charset=utf-8' && data?.status === String(status);
};

/** The same for a route outside the contract: OpenID provider (RFC 6749 section 5.2) and SCIM (RFC 7644 section 3.12) have errors of their own. */
export const otherFaultOf = ({ hostile, reply }: HostileRequestAndReply): string | null => {
  const { status, headers, body } = reply;
  if (status >= 500 || !STATUS_CODES[status]) return `status ${status}`;
  if (headers['x-request-id'] === undefined && status !== 431) return 'no request id';
  if (status < 400 || hostile.method === 'HEAD' || hostile.method === 'OPTIONS') return null;
  if (oauthError.safeParse(jsonIn(body)).success && headers['content-type']?.startsWith('application/json'))
    return null;
  return isScimError(reply) ? null : problemFault(reply);
};
