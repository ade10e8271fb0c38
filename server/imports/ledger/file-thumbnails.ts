import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { importThumbnail } from '../../../contract/import-calls.ts';
import type { Schema } from '../../db/schema.ts';
import type { ImportFileRow } from '../../db/stores/imports.ts';
import { findFileShown } from '../../db/stores/thumbnails.ts';
import { Refusal } from '../../refusal.ts';
import { sendThumbnail } from '../../resource/send-thumbnail.ts';
import { createSignedLinks } from '../../resource/signed-links.ts';
import type { Thumbnails } from '../../resource/thumbnails.ts';
import { type Binding, bindOpen } from '../../route-binding.ts';

type FileRow = Pick<ImportFileRow, 'id' | 'sha256' | 'status' | 'summary'>;

/** Small pictures of files that were read and are not imported yet, so that a person can put them into slots. */
export interface FileThumbnails {
  /** For ImportFile.thumbLink: a link that carries its own right for half an hour or more; null where there is no picture to show. */
  linkOf(row: FileRow): string | null;
  /** Binds the call behind the links. */
  routes(server: FastifyInstance, binding: Binding): void;
}

interface FileThumbnailParts {
  readonly db: Kysely<Schema>;
  readonly thumbnails: Thumbnails;
  /** The installation's key of links. */
  readonly key: string;
  readonly nowMs?: () => number;
}

/** The part of what parsing kept that says whether there is something to see. */
const seen = z.object({ kind: z.enum(['image', 'picture']) });

const kindOf = ({ summary }: Pick<FileRow, 'summary'>) => seen.safeParse(summary).data?.kind ?? null;

const waits: readonly FileRow['status'][] = ['parsed', 'duplicate'];

export const createFileThumbnails = ({ db, thumbnails, key, nowMs }: FileThumbnailParts): FileThumbnails => {
  const links = createSignedLinks(key, 'import-file', nowMs);

  return {
    linkOf: (row) => {
      if (row.sha256 === null || !waits.includes(row.status) || kindOf(row) === null) return null;
      const { expires, signature } = links.sealOf(row.id);
      return `${importThumbnail.path}?${new URLSearchParams({ fileId: row.id, expires: String(expires), signature })}`;
    },
    routes: (server, binding) => {
      // The listing that handed out the link is in the access log.
      bindOpen(server, binding, importThumbnail, async ({ query, request, reply }) => {
        if (!links.isValid(query.fileId, query)) throw new Refusal('link-expired');
        const row = await findFileShown(db, query.fileId);
        // A page may still show what has just been imported.
        if (!row?.sha256 || (!waits.includes(row.status) && row.status !== 'imported')) throw new Refusal('not-found');
        const kind = kindOf(row);
        if (kind === null) throw new Refusal('image-has-no-pixels');
        const picture = kind === 'picture' ? thumbnails.ofPicture(row.sha256) : thumbnails.of(row.sha256);
        const name = `${row.sha256}-${thumbnails.version}`;
        return sendThumbnail({ picture, name, expires: query.expires }, request, reply);
      });
    },
  };
};
