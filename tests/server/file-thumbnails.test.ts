import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkKey } from '../../server/db/stores/link-key.ts';
import { createFileThumbnails, type FileThumbnails } from '../../server/imports/ledger/file-thumbnails.ts';
import { createThumbLinks } from '../../server/resource/thumb-links.ts';
import type { Thumbnails } from '../../server/resource/thumbnails.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { openSession } from './open-session.ts';
import { smallObject } from './small-object.ts';
import { vaultUnderTest } from './vault-under-test.ts';

const report = { SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.11', SOPInstanceUID: '2.25.3002', Modality: 'SR' };
const noPixels = { PixelData: undefined, Rows: undefined, Columns: undefined };

const unused = () => Promise.reject(new Error('not asked'));
const noThumbnails: Thumbnails = { of: unused, ofPicture: unused, prepare: unused };

let archive: ArchiveUnderTest;
let links: FileThumbnails;
let session: { readonly grantId: string };
let now = Date.now();

const rowNamed = (name: string) =>
  archive.db.selectFrom('import_file').selectAll().where('file_name', '=', name).executeTakeFirstOrThrow();

const linkTo = async (name: string) => {
  const link = links.linkOf(await rowNamed(name), session);
  if (link === null) throw new Error(`${name} has no link`);
  return `${archive.url}${link}`;
};

const shown = async (link: string) => {
  const reply = await fetch(link);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const { data, info } = await sharp(await reply.arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, info };
};

/** Left half one colour, right half another. */
const halves = (width: number, height: number, left: readonly number[], right: readonly number[]) => {
  const pixels = Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? left : right)).flat();
  return sharp(Uint8Array.from(pixels), { raw: { width, height, channels: 3 } });
};

beforeAll(async () => {
  archive = await archiveUnderTest();
  session = { grantId: await openSession(archive.db, archive.clinics.doctorId) };
  links = createFileThumbnails({
    db: archive.db,
    thumbnails: noThumbnails,
    key: await linkKey(archive.db, vaultUnderTest()),
    nowMs: () => now,
  });
  const rotated = await halves(600, 300, [200, 40, 40], [40, 40, 200])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const grey = await halves(40, 20, [50, 50, 50], [150, 150, 150]).png().toBuffer();
  const task = await archive.begin(await archive.addPatient(), {
    'image.dcm': smallObject(),
    'report.dcm': smallObject({ ...report, ...noPixels }),
    'broken.dcm': new Uint8Array(600).fill(1),
    'photo.jpg': rotated,
    'grey.png': grey,
  });
  await archive.parse(task);
});
afterAll(() => archive.close());

test('a parsed, not yet imported file is rendered with its own windows', async () => {
  const { data, info } = await shown(await linkTo('image.dcm'));
  expect([info.width, info.height]).toEqual([8, 6]);
  expect(data[0]).toBeLessThan(30);
  expect(data.at(-1)).toBeGreaterThan(225);
});

test('pictures are rendered upright, and greyscale ones as in the archive', async () => {
  const photo = await shown(await linkTo('photo.jpg'));
  expect([photo.info.width, photo.info.height]).toEqual([200, 400]);
  const [top, bottom] = [photo.data.subarray(0, 3), photo.data.subarray(-3)];
  expect((top[0] ?? 0) - (top[2] ?? 0)).toBeGreaterThan(100);
  expect((bottom[2] ?? 0) - (bottom[0] ?? 0)).toBeGreaterThan(100);
  const grey = await shown(await linkTo('grey.png'));
  expect([grey.info.width, grey.info.height]).toEqual([40, 20]);
  expect(grey.data[0]).toBeLessThan(5);
  expect(grey.data[grey.info.width * grey.info.channels - 1]).toBeGreaterThan(250);
});

test('a document, a rejected file and an unread file have no link', async () => {
  expect(links.linkOf(await rowNamed('report.dcm'), session)).toBeNull();
  expect(links.linkOf(await rowNamed('broken.dcm'), session)).toBeNull();
  const read = await rowNamed('image.dcm');
  for (const status of ['received', 'refused', 'left-out', 'unpacked', 'ignored'] as const) {
    expect(links.linkOf({ ...read, status }, session)).toBeNull();
  }
  expect(links.linkOf({ ...read, summary: null }, session)).toBeNull();
  expect(links.linkOf({ ...read, status: 'duplicate' }, session)).not.toBeNull();
});

test('a link that is modified, of another key or subject, or expired is rejected', async () => {
  const codeOf = async (link: URL | string) => ((await (await fetch(link)).json()) as { code: string }).code;
  const link = new URL(await linkTo('image.dcm'));
  const changed = (name: string, value: string) => {
    const other = new URL(link);
    other.searchParams.set(name, value);
    return other;
  };
  const other = await rowNamed('photo.jpg');
  expect(await codeOf(changed('fileId', other.id))).toBe('link-expired');
  expect(await codeOf(changed('expires', String(Number(link.searchParams.get('expires')) + 3600)))).toBe(
    'link-expired',
  );
  expect(await codeOf(changed('signature', 'AAAA'))).toBe('link-expired');
  const foreign = createFileThumbnails({ db: archive.db, thumbnails: noThumbnails, key: 'another installation' });
  expect(await codeOf(`${archive.url}${foreign.linkOf(await rowNamed('image.dcm'), session)}`)).toBe('link-expired');
  // The signature of an image thumbnail with the same id and time is not valid here.
  const ofImage = new URL(
    createThumbLinks(archive.db, await linkKey(archive.db, vaultUnderTest()))
      .of(session)
      .linkTo(other.id),
    archive.url,
  );
  ofImage.pathname = link.pathname;
  ofImage.searchParams.set('fileId', other.id);
  expect(await codeOf(ofImage)).toBe('link-expired');
  now -= 2 * 60 * 60 * 1000;
  expect(await codeOf(await linkTo('image.dcm'))).toBe('link-expired');
  now = Date.now();
  expect((await fetch(await linkTo('image.dcm'))).status).toBe(200);
});

test('files that are gone or inaccessible return 404', async () => {
  const row = await rowNamed('image.dcm');
  const gone = links.linkOf({ ...row, id: randomUUID() }, session);
  expect((await fetch(`${archive.url}${gone}`)).status).toBe(404);
  const link = await linkTo('image.dcm');
  const setStatus = (status: 'left-out' | 'parsed') =>
    archive.db.updateTable('import_file').set({ status }).where('id', '=', row.id).execute();
  await setStatus('left-out');
  expect((await fetch(link)).status).toBe(404);
  await setStatus('parsed');
  expect((await fetch(link)).status).toBe(200);
});
