import http, { type IncomingMessage } from 'node:http';

export interface TestProxy {
  readonly url: string;
  close(): Promise<void>;
}

interface ProxyOptions {
  /** Target of all requests, or several that take turns. */
  readonly target: string | readonly string[];
  /** Public host name that a TLS-terminating proxy passes on; without it Host and other headers are forwarded. */
  readonly publicUrl?: string;
}

/** Simulates a client address in tests, where all clients are on this machine. */
export const callerHeader = 'x-test-caller';

/** A reverse proxy like nginx and Caddy: appends the client to X-Forwarded-For and forwards WebSockets. */
export const startProxy = async ({ target, publicUrl }: ProxyOptions): Promise<TestProxy> => {
  const targets = [target].flat().map((each) => new URL(each));
  let turn = 0;

  const headersOf = ({ headers, socket }: IncomingMessage): http.OutgoingHttpHeaders => {
    const { [callerHeader]: caller = socket.remoteAddress, ...others } = headers;
    const before = others['x-forwarded-for'];
    const ofPublic = publicUrl && {
      host: new URL(publicUrl).host,
      'x-forwarded-proto': new URL(publicUrl).protocol.slice(0, -1),
    };
    return { ...others, ...ofPublic, 'x-forwarded-for': before === undefined ? caller : `${before}, ${caller}` };
  };
  const passOn = (request: IncomingMessage) => {
    const { hostname, port } = targets[turn++ % targets.length] ?? {};
    return http.request({ hostname, port, method: request.method, path: request.url, headers: headersOf(request) });
  };

  const server = http.createServer((request, response) => {
    const onward = passOn(request);
    onward.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', (request, socket, head) => {
    const onward = passOn(request);
    onward.on('upgrade', (reply, far, farHead) => {
      const lines = reply.rawHeaders.map((text, index) => (index % 2 === 0 ? `\r\n${text}: ` : text));
      socket.write(`HTTP/1.1 101 Switching Protocols${lines.join('')}\r\n\r\n`);
      socket.write(farHead);
      far.write(head);
      far.pipe(socket).pipe(far);
      for (const [one, other] of [[far, socket] as const, [socket, far] as const])
        one.on('error', () => other.destroy());
    });
    onward.on('response', () => socket.destroy());
    onward.on('error', () => socket.destroy());
    onward.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
