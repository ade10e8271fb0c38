import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Kysely, type PGlite, PGliteDialect } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';
import { fetchPublished } from '../published.ts';

const published = {
  name: '@electric-sql/pglite',
  version: '0.5.16',
  sha1: '6a844eea4838cba9841366b0036183f484a70cf0',
  folder: 'pglite-0.5.16',
} as const;

export const pgliteName = `PGlite ${published.version}`;

interface Options {
  readonly dataDir: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly parsers: Readonly<Record<number, (text: string) => unknown>>;
}

/** Type number of `date` (pg_type.oid), which the archive reads as text. */
const date = 1082;

/** Opens PGlite, which is no part of the product, with the archive's tables for its stores. */
export const openPglite = async (folder: string) => {
  const dist = path.join(await fetchPublished(published), 'dist');
  const load = (file: string) => import(pathToFileURL(path.join(dist, file)).href);
  const { PGlite }: { PGlite: { create(options: Options): Promise<PGlite> } } = await load('index.js');
  const { fuzzystrmatch } = await load('contrib/fuzzystrmatch.js');
  const { pg_trgm } = await load('contrib/pg_trgm.js');
  const pglite = await PGlite.create({
    dataDir: folder,
    extensions: { fuzzystrmatch, pg_trgm },
    parsers: { [date]: (text) => text },
  });
  return { db: new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) }), pglite };
};
