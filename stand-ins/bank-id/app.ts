import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { identities, identityOf } from './identities.ts';
import { AppError, type Order, type Orders } from './orders.ts';
import type { Mood } from './rp-api.ts';

const personalNumber = z.string().regex(/^\d{12}$/);
const scan = z.object({ text: z.string().max(400), personalNumber: personalNumber.optional() });
const answer = z.object({ id: z.uuid(), answer: z.enum(['yes', 'no']), personalNumber: personalNumber.optional() });
const stateOf = z.object({ id: z.uuid(), status: z.enum(['pending', 'failed']), hint: z.string().max(60) });

const shown = ({ id, hint, visible, endUserIp, identity, madeAt, takenAt }: Order) => ({
  id,
  hint,
  visible,
  endUserIp,
  taken: takenAt !== null,
  personalNumber: identity?.personalNumber ?? null,
  ageSeconds: Math.floor((Date.now() - madeAt) / 1000),
});

const identityFor = (number: string | undefined) => (number === undefined ? null : identityOf(number));

/**
 * The app of this test server: a web page, and the same functions as HTTP calls for tests. It cannot read the secrets of an order: a code
 * must be scanned from the screen, as with a telephone.
 */
export const bankIdApp = (orders: Orders, mood: Mood): FastifyInstance => {
  const server = fastify({ forceCloseConnections: true });
  const page = readFileSync(path.join(import.meta.dirname, 'app.html'));
  const decoder = path.dirname(fileURLToPath(import.meta.resolve('qr/decode.js')));

  server.setErrorHandler((error: Error, _, reply) => {
    if (error instanceof AppError) return reply.code(409).send({ error: error.code });
    return reply.code(error instanceof z.ZodError ? 400 : 500).send({ error: error.name });
  });
  server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(page));
  for (const file of ['decode.js', 'index.js'])
    server.get(`/qr/${file}`, (_, reply) => reply.type('text/javascript').send(readFileSync(path.join(decoder, file))));

  server.get('/identities', async () => identities);
  server.get('/orders', async () => orders.waiting().map(shown));
  server.post('/scan', async (request) => {
    const { text, personalNumber: number } = scan.parse(request.body);
    return shown(orders.take(text, identityFor(number)));
  });
  server.post('/answer', async (request) => {
    const { id, answer: choice, personalNumber: number } = answer.parse(request.body);
    orders.answer(id, choice === 'yes', identityFor(number));
    return {};
  });
  server.post('/set-state', async (request) => {
    const { id, status, hint } = stateOf.parse(request.body);
    orders.setState(id, status, hint);
    return {};
  });
  server.post('/away', async (request) => {
    mood.away = z.object({ away: z.boolean() }).parse(request.body).away;
    return {};
  });
  return server;
};
