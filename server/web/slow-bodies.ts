import type { FastifyInstance } from 'fastify';

export interface SlowBodyLimits {
  /** Within this time in milliseconds a body must be complete, or an upload must have sent `uploadBytes` more. */
  readonly windowMs: number;
  readonly uploadBytes: number;
}

/** A body is at most 1 MB, and a clinic's line carries more than 9 kbit/s. */
const limits: SlowBodyLimits = { windowMs: 60_000, uploadBytes: 65_536 };

const uploads = /^(multipart\/(form-data|related)|application\/(octet-stream|dicom))\s*(;|$)/i;
const timedOut = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/** Ends requests whose body trickles in, so that they do not hold connections: 408, and the connection is closed. */
export const endSlowBodies = (server: FastifyInstance, { windowMs, uploadBytes }: SlowBodyLimits = limits): void => {
  server.addHook('onRequest', async ({ raw, headers, log }, reply) => {
    if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return;
    const isUpload = uploads.test(headers['content-type'] ?? '');
    const { socket } = raw;
    let before = socket.bytesRead;
    const timer = setInterval(() => {
      const isArriving = isUpload && socket.bytesRead - before >= uploadBytes;
      before = socket.bytesRead;
      // What has arrived and waits for a disk or a queue is not the sender's delay.
      if (raw.complete || raw.readableLength > 0 || isArriving) return;
      log.warn('request ended: its body arrived too slowly');
      if (reply.raw.headersSent) socket.destroy();
      else socket.end(timedOut, () => socket.destroy());
    }, windowMs);
    raw.once('close', () => clearInterval(timer));
  });
};
