import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits } from '../../server/imports/limits.ts';
import { safeFileName } from '../../server/imports/receive/safe-path.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
const limitBytes = 200_000;

beforeAll(async () => {
  // Starting a worker takes longer than this, so every decoding runs out of time.
  archive = await archiveUnderTest({ limits: { ...defaultLimits, fileBytes: limitBytes }, decodeTimeLimitMs: 1 });
  patientId = await archive.addPatient();
});

afterAll(() => archive.close());

const begin = async (): Promise<string> => {
  const reply = await archive.post('/resource/ImageImport', { patientId, totalFilesCount: 1 });
  return (await reply.json()).id;
};
const temporaryFiles = () => readdir(path.join(archive.dataFolder, 'files', 'temporary'));
const upload = (form: FormData, target = '/resource/ImageImport/dicom') =>
  archive.call(target, { method: 'POST', body: form });

const part = (name: string, fileName?: string) =>
  `content-disposition: form-data; name="${name}"${fileName ? `; filename="${fileName}"` : ''}\r\n\r\n`;

/** An upload whose bytes the test sends itself; parts are separated by `--parted`. */
const openUpload = (length: number) =>
  request(`${archive.url}/resource/ImageImport/dicom`, {
    method: 'POST',
    headers: {
      'content-type': 'multipart/form-data; boundary=parted',
      authorization: `Bearer ${archive.clinics.doctorId}`,
      'content-length': length,
    },
  });

test('several files in one request are acknowledged together', async () => {
  const id = await begin();
  const form = new FormData();
  form.append('id', id);
  form.append('files', new Blob(['one']), 'one.dcm');
  form.append('files', new Blob(['two']), 'two.dcm');
  const { files } = await (await upload(form, '/resource/ImageImport/batch')).json();
  expect(
    files.map(({ fileName, sizeBytes }: { fileName: string; sizeBytes: number }) => [fileName, sizeBytes]),
  ).toEqual([
    ['one.dcm', 3],
    ['two.dcm', 3],
  ]);
  expect((await archive.task(id)).files.map((file) => file.id).sort()).toEqual(
    files.map((file: { fileId: string }) => file.fileId).sort(),
  );
});

test('a file before the id, an id that is none, and no file at all are refused', async () => {
  const id = await begin();
  const fileFirst = new FormData();
  fileFirst.append('file', new Blob(['x']), 'x.dcm');
  fileFirst.append('id', id);
  expect(await (await upload(fileFirst)).json()).toEqual({ code: 'invalid-request', errors: [{ fieldKey: 'id' }] });
  const noId = new FormData();
  noId.append('id', 'seven');
  noId.append('file', new Blob(['x']), 'x.dcm');
  expect(await (await upload(noId)).json()).toMatchObject({ code: 'invalid-request' });
  const noFile = new FormData();
  noFile.append('id', id);
  expect(await (await upload(noFile)).json()).toEqual({ code: 'invalid-request', errors: [{ fieldKey: 'file' }] });
  expect((await archive.task(id)).files).toEqual([]);
});

test('a file that is too large is refused, and nothing of it stays', async () => {
  const id = await begin();
  const sent = await archive.send(id, 'large.dcm', new Uint8Array(limitBytes + 1));
  expect([sent.status, await sent.json()]).toEqual([413, { code: 'too-large' }]);
  expect((await archive.send(id, 'just.dcm', new Uint8Array(limitBytes))).status).toBe(200);
  expect(await temporaryFiles()).toEqual([]);
  expect((await archive.task(id)).files.map(({ fileName }) => fileName)).toEqual(['just.dcm']);
});

test('a refused upload is taken to its end, as a browser reads the reply only then', async () => {
  const id = await begin();
  const ends = [`--parted\r\n${part('id')}${id}\r\n--parted\r\n${part('file', 'far.dcm')}`, '\r\n--parted--\r\n'];
  // Far more than the sockets hold.
  const body = Buffer.concat([Buffer.from(ends[0] ?? ''), Buffer.alloc(40_000_000), Buffer.from(ends[1] ?? '')]);
  const call = openUpload(body.length);
  const answered = once(call, 'response');
  await new Promise<void>((sent) => call.end(body, sent));
  const [reply] = (await answered) as [IncomingMessage];
  expect(reply.statusCode).toBe(413);
  reply.resume();
});

test('an upload that breaks off leaves no file and no row', async () => {
  const id = await begin();
  const head = `--parted\r\n${part('id')}${id}\r\n--parted\r\n${part('file', 'half.dcm')}`;
  const call = openUpload(100_000);
  const gone = new Promise((resolve) => call.once('error', resolve));
  call.write(head);
  call.write(Buffer.alloc(20_000));
  await expect.poll(temporaryFiles).toHaveLength(1);
  call.destroy();
  await gone;
  await expect.poll(temporaryFiles).toEqual([]);
  expect((await archive.task(id)).files).toEqual([]);
});

test('a decoder that takes too long costs its file, with that reason', async () => {
  const id = await archive.begin(patientId, { 'slow.dcm': smallObject() });
  const failed = await archive.parse(id);
  expect(failed).toMatchObject({ error: true, files: [{ status: 'refused', problem: 'took-too-long' }] });
});

test.each([
  ['bild.dcm', 'bild.dcm'],
  ['DICOM\\PAT1\\IM0001', 'IM0001'],
  ['../../etc/passwd', 'passwd'],
  ['Åsa Öberg.jpg', 'Åsa Öberg.jpg'],
  ['a\u0000b\n.dcm', 'ab.dcm'],
  ['..', 'unnamed'],
  ['', 'unnamed'],
  [`${'x'.repeat(400)}.dcm`, `${'x'.repeat(251)}.dcm`],
])('the name %j is kept as %j', (given, kept) => {
  expect(safeFileName(given)).toBe(kept);
});
