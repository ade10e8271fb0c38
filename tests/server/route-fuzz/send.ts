import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { HostileRequest } from './hostile-request.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Unauthenticated requests are limited by address, so the requests come from several: 127.0.0.0/8 is this machine. */
const addresses = 200;
const agents = Array.from(
  { length: addresses },
  () => new Agent({ keepAlive: true, maxSockets: 4, maxFreeSockets: 1 }),
);

export const closeAgents = (): void => {
  for (const agent of agents) agent.destroy();
};

const attempt = (url: string, index: number, { method, url: path, headers, body }: HostileRequest): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const at = index % addresses;
    const length = body ? { 'content-length': String(body.length) } : {};
    const outgoing = request({
      agent: agents[at],
      localAddress: `127.1.0.${1 + at}`,
      hostname,
      port,
      method,
      path,
      headers: { ...length, ...headers },
    });
    outgoing.setTimeout(30_000, () => outgoing.destroy(new Error('no reply within 30 s')));
    outgoing.on('error', (error) => reject(Object.assign(error, { reused: outgoing.reusedSocket })));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.end(body ?? undefined);
  });

/** Sends over a kept connection; once more over a new one where the server had just closed it. */
export const send = async (url: string, index: number, hostile: HostileRequest): Promise<Reply> => {
  try {
    return await attempt(url, index, hostile);
  } catch (error) {
    if (!(error instanceof Error) || !('reused' in error) || error.reused !== true) throw error;
    return attempt(url, index, hostile);
  }
};
