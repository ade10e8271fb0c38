import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  type GalleryPage,
  gallerySorts,
  imageDownload,
  imageSearchPrivate,
  maxImagesNamed,
} from '../contract/gallery.ts';
import { openArchiveFolder } from '../server/archive-folder/open-folder.ts';
import { openDatabase } from '../server/db/open-database.ts';
import { openDiskStore } from '../server/storage/disk-store.ts';
import { freePort } from '../tests/free-port.ts';
import { fillClinic } from './gallery/fill.ts';
import { requestJson } from './import/http.ts';
import { percentile } from './numbers.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';

const images = Number(process.env.DENTARIUM_BENCH_IMAGES ?? 1_000_000);
const limitMs = 100;
const perPage = 100;
const fileBytes = 2_500_000;

/** Filters: common and rare, recent and old, single and combined. */
const filters: Readonly<Record<string, object>> = {
  'a modality': { modalities: ['PX'] },
  'a rare modality': { modalities: ['CT'] },
  'a tooth': { teeth: [11] },
  'a rare tooth': { teeth: [55] },
  'the last year': { from: new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 10) },
  'a year long ago': { from: '2018-01-01', to: '2018-12-31' },
  pictures: { source: 'picture' },
  'a common name': { q: 'andersson' },
  'a name in two words': { q: 'asa zet' },
  'four digits': { q: '1234' },
  'a description': { q: 'bitewing' },
  'a comment of two words': { q: 'karies distalt' },
  'a name in a year, one modality': { q: 'zet', from: '2018-01-01', to: '2018-12-31', modalities: ['IO'] },
};

const summary = (name: string, times: readonly number[]): string => {
  const at = (part: number) => `${percentile(times, part).toFixed(0)} ms`;
  return `${name}: p50 ${at(50)}, p95 ${at(95)} of ${times.length} pages`;
};

type RequestPage = (body: object) => Promise<{ reply: GalleryPage; ms: number }>;

/** Requests the first page several times, then the following pages by cursor. */
const pages = async (page: RequestPage, search: object, first: number, next: number): Promise<number[]> => {
  const times: number[] = [];
  let after: string | null = null;
  for (let count = 0; count < first; count++) {
    const { reply, ms } = await page(search);
    times.push(ms);
    after = reply.next;
  }
  for (let count = 0; count < next && after !== null; count++) {
    const { reply, ms }: Awaited<ReturnType<RequestPage>> = await page({ ...search, after });
    times.push(ms);
    after = reply.next;
  }
  return times;
};

const benchPages = async (page: RequestPage): Promise<void> => {
  for (const sort of gallerySorts)
    for (const order of ['asc', 'desc']) {
      const times = await pages(page, { sort, order }, 10, 40);
      console.log(`gallery of ${images}, ${summary(`by ${sort} ${order}`, times)} (limit p95 ${limitMs} ms)`);
    }
  for (const [name, filter] of Object.entries(filters)) {
    const times: number[] = [];
    for (const sort of gallerySorts)
      for (const order of ['asc', 'desc']) times.push(...(await pages(page, { sort, order, ...filter }, 1, 1)));
    console.log(`gallery of ${images}, ${summary(`${name}, in all orders`, times)}`);
  }
};

const residentBytes = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

/** Downloads the maximum number of images of one call, and measures the memory of the server process. */
const benchDownload = async (server: OwnServer, imageUIDs: readonly string[]): Promise<void> => {
  const headers = { ...(await server.signIn()), 'content-type': 'application/json' };
  const before = residentBytes(server.pid);
  let most = before;
  const began = performance.now();
  const reply = await fetch(`${server.url}${imageDownload.path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ imageUIDs }),
  });
  let bytes = 0;
  if (!reply.body) throw new Error('the download is empty');
  for await (const chunk of reply.body) {
    bytes += chunk.length;
    most = Math.max(most, residentBytes(server.pid));
  }
  if (bytes !== Number(reply.headers.get('content-length'))) throw new Error(`${bytes} bytes came`);
  const megabytes = (size: number) => `${(size / 1e6).toFixed(0)} MB`;
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `download of ${imageUIDs.length} images, ${megabytes(bytes)} in ${seconds.toFixed(1)} s: ` +
      `memory ${megabytes(before)} before, at most ${megabytes(most)}`,
  );
};

/** The gallery of one clinic with a million images, over HTTP with its access log, and a large download from it. */
export const benchGallery = async (): Promise<void> => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'bench-gallery-'));
  try {
    const open = await openDatabase({ dataFolder });
    const { db } = open.database;
    await openArchiveFolder(db, path.join(dataFolder, 'files'));
    const customerId = await fillClinic(db, images);
    const files = await openDiskStore(path.join(dataFolder, 'files'));
    const { sha256, sizeBytes } = await files.put(Readable.from([randomBytes(fileBytes)]));
    const rows = await db.selectFrom('image').select('id').limit(maxImagesNamed).execute();
    const uids = rows.map(({ id }) => id);
    await db.updateTable('image').set({ sha256, size_bytes: sizeBytes }).where('id', 'in', uids).execute();
    await open.close();
    const server = await startOwnServer({ dataFolder, port: await freePort() });
    try {
      let headers = await server.signIn();
      let signedInAt = performance.now();
      await benchPages(async (body) => {
        // An access token is shorter lived than the run.
        if (performance.now() - signedInAt > 60_000) {
          headers = await server.signIn();
          signedInAt = performance.now();
        }
        const began = performance.now();
        const request = { customerId, ppage: perPage, ...body };
        const reply = await requestJson<GalleryPage>(
          'POST',
          `${server.url}${imageSearchPrivate.path}`,
          headers,
          request,
        );
        return { reply, ms: performance.now() - began };
      });
      await benchDownload(server, uids);
    } finally {
      await server.close();
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
};
