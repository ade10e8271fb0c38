import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 4, maxFreeSockets: 4 });

/** Sends `pieces` as the body with little CPU time, because client and servers share the processors. @throws the reply of a server that rejects it */
export const send = async (
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>> = {},
  pieces: readonly Buffer[] = [],
): Promise<Buffer> => {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const call = request(url, { method, agent, headers: { ...headers, 'content-length': length } });
  const answered = once(call, 'response');
  call.cork();
  for (const piece of pieces) call.write(piece);
  call.uncork();
  call.end();
  const [reply] = (await answered) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (reply.statusCode !== 200) throw new Error(`${method} ${url}: ${reply.statusCode} ${body.toString()}`);
  return body;
};

export const requestJson = async <T>(
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<T> => {
  const pieces = body === undefined ? [] : [Buffer.from(JSON.stringify(body))];
  return JSON.parse((await send(method, url, { ...headers, 'content-type': 'application/json' }, pieces)).toString());
};

/** Runs `work` over `items`, `concurrency` at a time. */
export const forEachConcurrently = async <Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
) => {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
};

/** Returns whether the received bytes are those of the file. */
export const isSame = (body: Buffer, pieces: readonly Buffer[]): boolean => {
  let at = 0;
  for (const piece of pieces) {
    if (!body.subarray(at, at + piece.length).equals(piece)) return false;
    at += piece.length;
  }
  return at === body.length;
};
