import { randomUUID } from 'node:crypto';
import { awsBegin, awsComplete } from '../../contract/aws-uploads.ts';
import { type BodyOf, pathOf, type ReplyOf, type Route } from '../../contract/route.ts';

type Post = <R extends Route>(route: R, body: BodyOf<R>) => Promise<ReplyOf<R>>;
export type Begun = ReplyOf<typeof awsBegin>;

/** Calls routes of the contract with a POST function. Fails with status and body on an error reply. */
export const callerOf =
  (post: (target: string, body: unknown) => Promise<Response>): Post =>
  async (route, body) => {
    const reply = await post(pathOf(route.path), body);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${reply.status} ${text}`);
    return JSON.parse(text);
  };

export const partsOf = (bytes: Uint8Array, { missing, partBytes }: Begun) =>
  missing.map(({ number, url }) => ({
    number,
    url,
    bytes: Uint8Array.from(bytes.subarray((number - 1) * partBytes, number * partBytes)),
  }));

export const sendParts = async (bytes: Uint8Array, begun: Begun): Promise<void> => {
  for (const { url, bytes: body } of partsOf(bytes, begun)) {
    const reply = await fetch(url, { method: 'PUT', body });
    if (!reply.ok) throw new Error(`store: ${reply.status} ${await reply.text()}`);
  }
};

/** Uploads a file like a browser. */
export const sendByStore = async (post: Post, taskId: string, path: string, bytes: Uint8Array, key = randomUUID()) => {
  const begun = await post(awsBegin, { id: taskId, key, path, sizeBytes: bytes.length });
  await sendParts(bytes, begun);
  return { key, ...(await post(awsComplete, { id: taskId, key })) };
};
