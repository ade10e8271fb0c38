import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { identities, identityOf } from './identities.ts';
import { AppFault, type Order, type Orders } from './orders.ts';
import type { Mood } from './rp-api.ts';

const personalNumber = z.string().regex(/^\d{12}$/);
const scan = z.object({ text: z.string().max(400), personalNumber: personalNumber.optional() });
const answer = z.object({ id: z.uuid(), answer: z.enum(['yes', 'no']), personalNumber: personalNumber.optional() });
const say = z.object({ id: z.uuid(), status: z.enum(['pending', 'failed']), hint: z.string().max(60) });

const shown = ({ id, hint, visible, person, madeAt, takenAt }: Order) => ({
  ...{ id, hint, visible, taken: takenAt !== null, personalNumber: person?.personalNumber ?? null },
  ageSeconds: Math.floor((Date.now() - madeAt) / 1000),
});

const personOf = (number: string | undefined) => (number === undefined ? null : identityOf(number));

/**
 * The app of this test server: a page for people, and the same as calls for tests. It knows no secret of an order: a code comes by being
 * read from the screen, as a telephone does it.
 */
export const bankIdApp = (orders: Orders, mood: Mood): FastifyInstance => {
  const server = fastify({ forceCloseConnections: true });
  const page = readFileSync(path.join(import.meta.dirname, 'app.html'));
  const decoder = path.dirname(fileURLToPath(import.meta.resolve('qr/decode.js')));

  server.setErrorHandler((error: Error, _, reply) => {
    if (error instanceof AppFault) return reply.code(409).send({ fault: error.code });
    return reply.code(error instanceof z.ZodError ? 400 : 500).send({ fault: error.name });
  });
  server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(page));
  for (const file of ['decode.js', 'index.js'])
    server.get(`/qr/${file}`, (_, reply) => reply.type('text/javascript').send(readFileSync(path.join(decoder, file))));

  server.get('/identities', async () => identities);
  server.get('/orders', async () => orders.waiting().map(shown));
  server.post('/scan', async (request) => {
    const { text, personalNumber: number } = scan.parse(request.body);
    return shown(orders.take(text, personOf(number)));
  });
  server.post('/answer', async (request) => {
    const { id, answer: said, personalNumber: number } = answer.parse(request.body);
    orders.answer(id, said === 'yes', personOf(number));
    return {};
  });
  server.post('/say', async (request) => {
    const { id, status, hint } = say.parse(request.body);
    orders.say(id, status, hint);
    return {};
  });
  server.post('/away', async (request) => {
    mood.away = z.object({ away: z.boolean() }).parse(request.body).away;
    return {};
  });
  return server;
};
