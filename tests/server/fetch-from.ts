import { request } from 'node:https';

interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

/** Returns a fetch whose connections come from this address of the loopback network (Linux: any of 127.0.0.0/8). */
export const fetchFrom =
  (localAddress: string) =>
  (url: string, { method = 'GET', headers = {}, body }: FetchInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const type = body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
      // The address is IPv4, so the host has to be as well.
      const call = request(
        url,
        { method, headers: { ...type, ...headers }, localAddress, family: 4, agent: false },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('error', reject);
          reply.on('end', () => resolve(new Response(Buffer.concat(chunks), { status: reply.statusCode ?? 0 })));
        },
      );
      call.on('error', reject);
      call.end(body?.toString());
    });
