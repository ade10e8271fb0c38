import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Certificates } from './certificates.ts';
import { noSignature, type Order, type Orders } from './orders.ts';

const base64 = z
  .string()
  .max(2_000)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/);
const authBody = z.strictObject({
  endUserIp: z.union([z.ipv4(), z.ipv6()]),
  userVisibleData: base64.optional(),
  userVisibleDataFormat: z.literal('simpleMarkdownV1').optional(),
  requirement: z.strictObject({ certificatePolicies: z.array(z.string()).optional() }).optional(),
});
const orderBody = z.strictObject({ orderRef: z.uuid() });

const sendError = (reply: FastifyReply, status: number, errorCode: string, details: string) =>
  reply.code(status).send({ errorCode, details });

const completion = (order: Order) => ({
  completionData: {
    user: {
      personalNumber: order.identity?.personalNumber,
      name: `${order.identity?.givenName} ${order.identity?.surname}`,
      givenName: order.identity?.givenName,
      surname: order.identity?.surname,
    },
    device: { ipAddress: order.endUserIp, uhi: 'TESTTESTTESTTESTTEST' },
    bankIdIssueDate: '2026-01-01',
    signature: noSignature(),
    ocspResponse: noSignature(),
  },
});

/** Errors that a test can inject. */
export interface Mood {
  away: boolean;
}

/** RP API v6.0: `auth`, `collect`, `cancel`, for relying parties with a certificate of our authority; TLS rejects all others. */
export const rpApi = (orders: Orders, mood: Mood, certificates: Certificates): FastifyInstance => {
  const { ca, serverKey, serverCertificate } = certificates;
  const https = { ca, key: serverKey, cert: serverCertificate, requestCert: true, rejectUnauthorized: true };
  const server: FastifyInstance = fastify({
    https: { ...https, minVersion: 'TLSv1.2' },
    forceCloseConnections: true,
  } as object);

  server.addHook('onRequest', async (_, reply) => {
    if (mood.away) return sendError(reply, 503, 'Maintenance', 'The service is temporarily unavailable (TEST)');
  });
  server.setErrorHandler((error: { statusCode?: number }, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status === 415) return sendError(reply, status, 'unsupportedMediaType', 'JSON is required');
    return status < 500
      ? sendError(reply, 400, 'invalidParameters', 'Not a message of this API')
      : sendError(reply, 500, 'internalError', 'Internal error');
  });
  server.setNotFoundHandler((_, reply) => sendError(reply, 404, 'notFound', 'No such call'));

  server.post('/rp/v6.0/auth', async (request, reply) => {
    const body = authBody.safeParse(request.body);
    if (!body.success)
      return sendError(reply, 400, 'invalidParameters', `Invalid ${body.error.issues[0]?.path.join('.')}`);
    const visible = Buffer.from(body.data.userVisibleData ?? '', 'base64').toString('utf8');
    const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = orders.make(body.data.endUserIp, visible);
    return { orderRef, autoStartToken, qrStartToken, qrStartSecret };
  });

  server.post('/rp/v6.0/collect', async (request, reply) => {
    const body = orderBody.safeParse(request.body);
    const order = body.success ? orders.collect(body.data.orderRef) : null;
    if (!order) return sendError(reply, 400, 'invalidParameters', 'No such order');
    const { orderRef, status, hint } = order;
    return { orderRef, status, ...(status === 'complete' ? completion(order) : { hintCode: hint }) };
  });

  server.post('/rp/v6.0/cancel', async (request, reply) => {
    const body = orderBody.safeParse(request.body);
    if (!body.success || !orders.cancel(body.data.orderRef))
      return sendError(reply, 400, 'invalidParameters', 'No such order');
    return {};
  });
  return server;
};
