import { randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastify from 'fastify';
import { z } from 'zod';
import type { StandIn } from '../stand-in.ts';

export interface SmsOptions {
  /** Any free one by default. */
  readonly port?: number;
}

const sendFields = z.object({
  from: z.string().regex(/^([A-Za-z0-9]{1,11}|\+[1-9]\d{6,14})$/),
  to: z.string().regex(/^\+[1-9]\d{7,14}$/),
  message: z.string().min(1).max(1_600),
});

/** A received message, which is not sent. */
export interface SentMessage extends z.infer<typeof sendFields> {
  readonly id: string;
  readonly created: string;
}

const user = 'stand-in';
const password = 'stand-in-secret';
const maxMessages = 200;

const isSame = (given: string, right: string) =>
  given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right));

/**
 * A TEST gateway for text messages, on this machine only: accepts them as common gateways do (form or JSON with `from`, `to`, `message`, and
 * basic authorization), sends nothing, stores the last ones and shows them on a page.
 */
export const start = async ({ port = 0 }: SmsOptions): Promise<StandIn> => {
  const server = fastify({ forceCloseConnections: true });
  const page = readFileSync(path.join(import.meta.dirname, 'messages.html'));
  const right = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  let away = false;
  let awayCalls = 0;
  let messages: SentMessage[] = [];

  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  server.post('/a1/sms', async (request, reply) => {
    if (away || awayCalls-- > 0) return reply.code(503).send('TEST: away');
    if (!isSame(request.headers.authorization ?? '', right))
      return reply.code(401).send('API access requires Basic HTTP authentication');
    const message = sendFields.safeParse(request.body);
    if (!message.success) return reply.code(403).send(`Invalid ${message.error.issues[0]?.path.join('.')}`);
    const one = { id: `s${randomUUID().replaceAll('-', '')}`, created: new Date().toISOString(), ...message.data };
    messages = [one, ...messages].slice(0, maxMessages);
    return { ...one, direction: 'outgoing', status: 'created' };
  });

  server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(page));
  server.get('/messages', async () => messages);
  server.delete('/messages', async () => {
    messages = [];
    return {};
  });
  server.post('/away', async (request) => {
    const outage = z.object({ away: z.boolean(), calls: z.number().int().optional() }).parse(request.body);
    away = outage.away;
    awayCalls = outage.calls ?? 0;
    return {};
  });

  const url = await server.listen({ port, host: '127.0.0.1' });
  return {
    url,
    environment: { DENTARIUM_SMS_URL: `${url}/a1/sms`, DENTARIUM_SMS_USER: user, DENTARIUM_SMS_PASSWORD: password },
    close: () => server.close(),
  };
};
