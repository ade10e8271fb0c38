import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';
import type { MetricsAddress } from './metrics-address.ts';

export interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers `GET /metrics` on an address of its own, and 404 for everything else. @throws the error of the socket */
export const openMetricsListener = async (
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { host, port }: MetricsAddress,
  onFailure: (error: unknown) => void,
): Promise<MetricsListener> => {
  const server = createServer((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?', 1)[0] !== '/metrics') {
      reply.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found: only GET /metrics\n');
      return;
    }
    metrics.text().then(
      (text) => reply.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text),
      (error: unknown) => {
        onFailure(error);
        reply.writeHead(500).end();
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
