import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

export interface ProbeReply {
  readonly status: number;
  readonly body: string;
  /** Null without a Date header. */
  readonly date: Date | null;
  /** Null without TLS. `problem`: why Node does not trust it, for example CERT_HAS_EXPIRED; null when it does. */
  readonly certificate: { readonly validTo: Date; readonly problem: string | null } | null;
}

const timeoutMs = 10_000;

/** Requests an address whether or not its certificate is trusted; sends no secret. @throws errors of the connection */
export const probe = async (url: string): Promise<ProbeReply> => {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const options = { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(timeoutMs) };
  const { get } = url.startsWith('https:') ? https : http;
  get(url, options, resolve).once('error', reject);
  const reply = await promise;
  const { socket } = reply;
  const certificate =
    socket instanceof TLSSocket
      ? {
          validTo: new Date(socket.getPeerCertificate().valid_to),
          // With an error of its name Node gives a text, otherwise a code.
          problem: socket.authorized ? null : String(socket.authorizationError),
        }
      : null;
  const date = Date.parse(reply.headers.date ?? '');
  return {
    certificate,
    status: reply.statusCode ?? 0,
    body: await text(reply),
    date: Number.isNaN(date) ? null : new Date(date),
  };
};
