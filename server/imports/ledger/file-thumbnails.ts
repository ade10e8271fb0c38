import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { importThumbnail } from '../../../contract/import-calls.ts';
import type { Schema } from '../../db/schema.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import { findFileShown } from '../../db/stores/thumbnails.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { type Binding, bindOpen } from '../../route-binding.ts';
import { sendThumbnail } from '../../web/send-thumbnail.ts';
import { createSignedLinks, type LinkSession } from '../../web/signed-links.ts';

type FileRow = Pick<ImportFileRow, 'id' | 'sha256' | 'status' | 'summary'>;

/** Thumbnails of parsed files that are not imported yet, for mounting them in advance. */
export interface FileThumbnails {
  /** Returns ImportFile.thumbLink: a link signed for the session, valid for at least half an hour; null when there is no picture. */
  linkOf(row: FileRow, session: LinkSession): string | null;
  /** Registers the route of the links. */
  routes(server: FastifyInstance, binding: Binding): void;
}

/** Makes the thumbnail (JPEG) of a stored object or picture, or returns it from a cache. */
interface DrawnThumbnails {
  of(sha256: string): Promise<Uint8Array>;
  ofPicture(sha256: string): Promise<Uint8Array>;
}

interface FileThumbnailParts {
  readonly db: Kysely<Schema>;
  readonly thumbnails: DrawnThumbnails;
  /** The installation's key for signing links. */
  readonly key: string;
  readonly nowMs?: () => number;
}

/** The part of a parse result that shows whether the file has pixels. */
const seen = z.object({ kind: z.enum(['image', 'picture']) });

const kindOf = ({ summary }: Pick<FileRow, 'summary'>) => seen.safeParse(summary).data?.kind ?? null;

const waits: readonly FileRow['status'][] = ['parsed', 'duplicate'];

export const createFileThumbnails = ({ db, thumbnails, key, nowMs }: FileThumbnailParts): FileThumbnails => {
  const links = createSignedLinks({ db, key, subject: 'import-file', nowMs });

  return {
    linkOf: (row, session) => {
      if (row.sha256 === null || !waits.includes(row.status) || kindOf(row) === null) return null;
      const query = { fileId: row.id, ...links.queryFor(row.id, session) };
      return `${importThumbnail.path}?${new URLSearchParams(query)}`;
    },
    routes: (server, binding) => {
      // Logged already: the listing that issued the link is in the access log.
      bindOpen(server, binding, importThumbnail, async ({ query, reply }) => {
        if (!(await links.isValid(query.fileId, query))) throw new ProblemError('link-expired');
        const row = await findFileShown(db, query.fileId);
        // A page may still show what was imported a moment ago.
        if (!row?.sha256 || (!waits.includes(row.status) && row.status !== 'imported'))
          throw new ProblemError('not-found');
        const kind = kindOf(row);
        if (kind === null) throw new ProblemError('image-has-no-pixels');
        const picture = kind === 'picture' ? thumbnails.ofPicture(row.sha256) : thumbnails.of(row.sha256);
        return sendThumbnail(picture, reply);
      });
    },
  };
};
