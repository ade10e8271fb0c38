import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { pictureDelete, pictureGet, pictureSave } from '../../contract/users.ts';
import type { Schema } from '../db/schema.ts';
import { pictureOfAccount, removePicture, savePicture } from '../db/stores/account-pictures.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind, bindOpen } from '../route-binding.ts';
import { drainRequest } from '../web/drain-request.ts';
import { boundaryOf, readParts } from '../web/multipart.ts';
import { requestChunks } from '../web/request-chunks.ts';
import { changeEmployeeOf } from './employee-step.ts';
import { employeeOf } from './employee-view.ts';
import type { PictureLinks } from './picture-links.ts';
import { portraitOf } from './portrait.ts';

interface PictureDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly links: PictureLinks;
}

const maxBytes = 5_000_000;

const readAll = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new ProblemError('picture-not-readable');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Returns the first file of the form. @throws ProblemError 'picture-not-readable' when it is too large, 'invalid-request' when there is none */
const pictureIn = async (request: FastifyRequest): Promise<Uint8Array> => {
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary !== null)
    for await (const part of readParts(requestChunks(request.raw), boundary)) {
      const bytes = await readAll(part.body);
      if (part.fileName !== null) return bytes;
    }
  throw new ProblemError('invalid-request', [{ fieldKey: 'file' }]);
};

/** Registers the routes of profile pictures. */
export const pictureRoutes = (parent: FastifyInstance, { db, binding, links }: PictureDependencies): void => {
  bind(parent, binding, pictureDelete, async ({ principal, params: { id } }) => {
    const row = await changeEmployeeOf(db, principal, { id }, async ({ transaction, employee, note }) => {
      if (employee.pictureId === null) return;
      await removePicture(transaction, id);
      await note('user.edited');
    });
    return employeeOf(row, links, principal);
  });

  bindOpen(parent, binding, pictureGet, async ({ params: { id }, query, reply }) => {
    const picture = await pictureOfAccount(db, id);
    const seal = { ...query, expires: Number(query.expires) };
    if (!picture || !(await links.isValid(id, picture.id, seal))) throw new ProblemError('link-expired');
    reply.header('x-content-type-options', 'nosniff');
    return reply.type('image/webp').send(Buffer.from(picture.webp));
  });

  void parent.register(async (server) => {
    // The handler reads the multipart body itself.
    server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

    bind(server, binding, pictureSave, async ({ principal, params: { id }, request }) => {
      try {
        // Checked before reading the body, and again when saving.
        await changeEmployeeOf(db, principal, { id }, async () => undefined);
        const webp = await portraitOf(await pictureIn(request));
        const row = await changeEmployeeOf(db, principal, { id }, async ({ transaction, note }) => {
          await savePicture(transaction, id, webp);
          await note('user.edited');
        });
        return employeeOf(row, links, principal);
      } finally {
        drainRequest(request.raw);
      }
    });
  });
};
