import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { pictureDelete, pictureGet, pictureSave } from '../../contract/users.ts';
import type { Schema } from '../db/schema.ts';
import { pictureOfAccount, removePicture, savePicture } from '../db/stores/account-pictures.ts';
import { chunksOf } from '../imports/receive/chunks-of.ts';
import { boundaryOf, readParts } from '../imports/receive/multipart.ts';
import { takeRest } from '../imports/receive/take-rest.ts';
import { Refusal } from '../refusal.ts';
import { type Binding, bind, bindOpen } from '../route-binding.ts';
import { changeEmployeeOf } from './employee-step.ts';
import { employeeOf } from './employee-view.ts';
import type { PictureLinks } from './picture-links.ts';
import { portraitOf } from './portrait.ts';

interface PictureDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly links: PictureLinks;
}

const mostBytes = 5_000_000;

const readAll = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > mostBytes) throw new Refusal('picture-not-readable');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** The first file of the form. @throws Refusal 'picture-not-readable' when it is large, 'invalid-request' when there is none */
const pictureIn = async (request: FastifyRequest): Promise<Uint8Array> => {
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary !== null)
    for await (const part of readParts(chunksOf(request.raw), boundary)) {
      const bytes = await readAll(part.body);
      if (part.fileName !== null) return bytes;
    }
  throw new Refusal('invalid-request', [{ fieldKey: 'file' }]);
};

/** Pictures of people. */
export const pictureRoutes = (parent: FastifyInstance, { db, binding, links }: PictureDependencies): void => {
  bind(parent, binding, pictureDelete, async ({ principal, params: { id } }) => {
    const row = await changeEmployeeOf(db, principal, { id }, async ({ transaction, employee, note }) => {
      if (employee.pictureId === null) return;
      await removePicture(transaction, id);
      await note('user.edited');
    });
    return employeeOf(row, links);
  });

  bindOpen(parent, binding, pictureGet, async ({ params: { id }, query, request, reply }) => {
    const picture = await pictureOfAccount(db, id);
    const expires = Number(query.expires);
    if (!picture || !links.isValid(id, picture.id, { expires, signature: query.signature }))
      throw new Refusal('link-expired');
    const secondsLeft = Math.max(0, expires - Math.floor(Date.now() / 1000));
    const etag = `"${picture.id}"`;
    reply.headers({
      'cache-control': `private, max-age=${secondsLeft}, immutable`,
      etag,
      'x-content-type-options': 'nosniff',
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type('image/webp').send(Buffer.from(picture.webp));
  });

  void parent.register(async (server) => {
    // The handler reads the body itself, as it comes.
    server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

    bind(server, binding, pictureSave, async ({ principal, params: { id }, request }) => {
      try {
        // Asked before anything is read, and again when it is saved.
        await changeEmployeeOf(db, principal, { id }, async () => undefined);
        const webp = await portraitOf(await pictureIn(request));
        const row = await changeEmployeeOf(db, principal, { id }, async ({ transaction, note }) => {
          await savePicture(transaction, id, webp);
          await note('user.edited');
        });
        return employeeOf(row, links);
      } finally {
        takeRest(request.raw);
      }
    });
  });
};
