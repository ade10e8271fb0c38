import { Agent, request } from 'node:https';
import { z } from 'zod';
import type { BankIdSettings } from './bank-id-settings.ts';

const started = z.object({
  orderRef: z.string().min(1),
  autoStartToken: z.string().min(1),
  qrStartToken: z.string().min(1),
  qrStartSecret: z.string().min(1),
});
export type StartedOrder = z.infer<typeof started>;

const collected = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), hintCode: z.string().default('unknown') }),
  z.object({ status: z.literal('failed'), hintCode: z.string().default('unknown') }),
  z.object({
    status: z.literal('complete'),
    completionData: z.object({ user: z.object({ personalNumber: z.string().regex(/^\d{12}$/) }) }),
  }),
]);
export type CollectedOrder = z.infer<typeof collected>;

const errorReply = z.object({ errorCode: z.string().max(60) });

/** A failed call to BankID. The message contains status and error code, no personal data. */
export class BankIdError extends Error {
  /** `alreadyInProgress`, `invalidParameters`, `Maintenance`, `requestTimeout`, ...; null without a reply. */
  readonly code: string | null;

  constructor(message: string, code: string | null) {
    super(message);
    this.name = 'BankIdError';
    this.code = code;
  }
}

const timeoutMs = 5_000;
const maxReply = 262_144;

interface Reply {
  readonly status: number;
  readonly text: string;
}

const post = (agent: Agent, url: string, body: object): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const payload = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
    const signal = AbortSignal.timeout(timeoutMs);
    const call = request(url, { agent, method: 'POST', headers, signal }, (reply) => {
      const parts: Buffer[] = [];
      let size = 0;
      reply.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxReply) reply.destroy(new Error('reply too large'));
        else parts.push(part);
      });
      reply.on('error', reject);
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }));
    });
    call.on('error', (error: NodeJS.ErrnoException) =>
      // A keep-alive connection that the server closed while idle is no failure: the request is retried.
      call.reusedSocket && error.code === 'ECONNRESET' ? resolve(post(agent, url, body)) : reject(error),
    );
    call.end(payload);
  });

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Returns the loggable kind of a call that got no reply: no address and no body. */
const kindOf = (error: unknown): string =>
  error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';

export interface RelyingParty {
  /** @param endUserIp address of the user's browser @param visible text shown in the app; UTF-8, at most 1 500 characters in base64 */
  auth(endUserIp: string, visible: string): Promise<StartedOrder>;
  collect(orderRef: string): Promise<CollectedOrder>;
  cancel(orderRef: string): Promise<void>;
  close(): void;
}

/**
 * Client of BankID's RP API version 6.0 over TLS with the relying party's certificate.
 * Every call throws BankIdError when BankID is unreachable, returns an error or an invalid reply.
 */
export const relyingParty = (settings: BankIdSettings): RelyingParty => {
  const { url, certificate, passphrase, ca, certificatePolicies } = settings;
  const agent = new Agent({ pfx: certificate, passphrase, ca, minVersion: 'TLSv1.2', keepAlive: true, maxSockets: 20 });

  const send = async <S extends z.ZodType>(call: string, body: object, schema: S): Promise<z.output<S>> => {
    const reply = await post(agent, `${url}/${call}`, body).catch((error: unknown) => {
      throw new BankIdError(`BankID ${call}: no reply (${kindOf(error)})`, null);
    });
    const json = parsedJson(reply.text);
    if (reply.status !== 200) {
      const code = errorReply.safeParse(json).data?.errorCode ?? null;
      throw new BankIdError(`BankID ${call}: status ${reply.status}, ${code ?? 'no error code'}`, code);
    }
    const result = schema.safeParse(json);
    if (!result.success) throw new BankIdError(`BankID ${call}: a reply that cannot be understood`, null);
    return result.data;
  };

  const requirement = certificatePolicies.length > 0 ? { requirement: { certificatePolicies } } : {};
  return {
    auth: (endUserIp, visible) =>
      send('auth', { endUserIp, userVisibleData: Buffer.from(visible).toString('base64'), ...requirement }, started),
    collect: (orderRef) => send('collect', { orderRef }, collected),
    cancel: async (orderRef) => {
      await send('cancel', { orderRef }, z.object({}));
    },
    close: () => agent.destroy(),
  };
};
