import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultLimits } from '../../server/imports/limits.ts';
import { safeFileName, safePath } from '../../server/imports/receive/safe-path.ts';
import { readParts, textOf } from '../../server/web/multipart.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
const limitBytes = 200_000;

beforeAll(async () => {
  // Starting a worker takes longer than this, so every decoding times out.
  archive = await archiveUnderTest({
    limits: { ...defaultLimits, fileBytes: limitBytes, filesPerImport: 5, folderDepth: 3 },
    decodeTimeLimitMs: 1,
  });
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

test('rejects a file before the id, an invalid id, and a request without files', async () => {
  const id = await begin();
  const fileFirst = new FormData();
  fileFirst.append('file', new Blob(['x']), 'x.dcm');
  fileFirst.append('id', id);
  expect(await (await upload(fileFirst)).json()).toMatchObject({
    code: 'invalid-request',
    errors: [{ fieldKey: 'id' }],
  });
  const noId = new FormData();
  noId.append('id', 'seven');
  noId.append('file', new Blob(['x']), 'x.dcm');
  expect(await (await upload(noId)).json()).toMatchObject({ code: 'invalid-request' });
  const noFile = new FormData();
  noFile.append('id', id);
  expect(await (await upload(noFile)).json()).toMatchObject({
    code: 'invalid-request',
    errors: [{ fieldKey: 'file' }],
  });
  expect((await archive.task(id)).files).toEqual([]);
});

test('a file that is too large is rejected, and nothing of it is stored', async () => {
  const id = await begin();
  const sent = await archive.send(id, 'large.dcm', new Uint8Array(limitBytes + 1));
  expect([sent.status, await sent.json()]).toMatchObject([413, { code: 'too-large' }]);
  expect((await archive.send(id, 'just.dcm', new Uint8Array(limitBytes))).status).toBe(200);
  expect(await temporaryFiles()).toEqual([]);
  expect((await archive.task(id)).files.map(({ fileName }) => fileName)).toEqual(['just.dcm']);
});

test('a rejected upload is read to its end, because a browser reads the reply only then', async () => {
  const id = await begin();
  const ends = [`--parted\r\n${part('id')}${id}\r\n--parted\r\n${part('file', 'far.dcm')}`, '\r\n--parted--\r\n'];
  // Far more than the socket buffers hold.
  const body = Buffer.concat([Buffer.from(ends[0] ?? ''), Buffer.alloc(40_000_000), Buffer.from(ends[1] ?? '')]);
  const call = openUpload(body.length);
  const response = once(call, 'response');
  await new Promise<void>((sent) => call.end(body, sent));
  const [reply] = (await response) as [IncomingMessage];
  expect(reply.statusCode).toBe(413);
  reply.resume();
});

test('an interrupted upload leaves no file and no row', async () => {
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

test('a decoder timeout rejects only its file, with that reason', async () => {
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
])('the name %j is stored as %j', (given, stored) => {
  expect(safeFileName(given)).toBe(stored);
});

const batchOf = (id: string, files: readonly (readonly [path: string, text: string])[]): FormData => {
  const form = new FormData();
  form.append('id', id);
  for (const [filePath, text] of files) {
    form.append('path', filePath);
    form.append('files', new Blob([text]), filePath.split('/').at(-1));
  }
  return form;
};
const batch = '/resource/ImageImport/batch';

test('files of a directory keep their paths; equal names in two folders are two files', async () => {
  const id = await begin();
  const form = batchOf(id, [
    ['DISK/DICOMDIR', 'directory'],
    ['DISK/A/IM1', 'one'],
    ['DISK/B/IM1', 'two'],
  ]);
  const reply = await (await upload(form, '/resource/ImageImport/dicom/dir')).json();
  expect(reply.dicomDirSystemName).toBe((await archive.task(id)).dicomSystemName);
  expect(reply.files.map((file: { path: string; fileName: string }) => [file.path, file.fileName])).toEqual([
    ['DISK/DICOMDIR', 'DICOMDIR'],
    ['DISK/A/IM1', 'IM1'],
    ['DISK/B/IM1', 'IM1'],
  ]);
});

test('a zip is acknowledged under its name, and may be larger than a single file', async () => {
  const id = await begin();
  const form = new FormData();
  form.append('id', id);
  form.append('file', new Blob([new Uint8Array(limitBytes + 1)]), 'skiva.zip');
  const reply = await (await upload(form, '/resource/ImageImport/dicom/zip')).json();
  expect(reply).toMatchObject({ sizeBytes: limitBytes + 1, dicomDirSystemName: id });
});

test('the same files sent twice, six times concurrently and once again, are the same rows', async () => {
  const id = await begin();
  const send = async () => {
    const form = batchOf(id, [
      ['A/IM1', 'one'],
      ['B/IM1', 'one'],
      ['A/IM1', 'one'],
    ]);
    const reply = await upload(form, batch);
    expect(reply.status).toBe(200);
    return (await reply.json()).files.map((file: { fileId: string }) => file.fileId);
  };
  const [first, ...others] = await Promise.all(Array.from({ length: 6 }, send));
  for (const ids of [...others, await send()]) expect(ids).toEqual(first);
  expect(first[0]).toBe(first[2]);
  expect((await archive.task(id)).files.map((file) => file.path).sort()).toEqual(['A/IM1', 'B/IM1']);
});

test('too many files or too deep folders are rejected with separate codes and leave no row', async () => {
  const id = await begin();
  const six = batchOf(
    id,
    Array.from({ length: 6 }, (_, index) => [`IM${index}`, `file ${index}`] as const),
  );
  const many = await upload(six, batch);
  expect([many.status, await many.json()]).toMatchObject([
    422,
    { code: 'too-many-files', errors: [{ fieldKey: 'file', vars: { max: 5 } }] },
  ]);
  const deep = await upload(batchOf(id, [['a/b/c/d/IM1', 'deep']]), batch);
  expect([deep.status, (await deep.json()).code]).toEqual([422, 'too-deep']);
  const outside = await upload(batchOf(id, [['a/../../IM1', 'outside']]), batch);
  expect([outside.status, (await outside.json()).code]).toEqual([400, 'invalid-request']);
  expect((await archive.task(id)).files).toEqual([]);
  expect(await temporaryFiles()).toEqual([]);
});

test('a rejected file rejects its whole request: no file of it is acknowledged', async () => {
  const id = await begin();
  const form = batchOf(id, [['IM1', 'small']]);
  form.append('files', new Blob([new Uint8Array(limitBytes + 1)]), 'IM2');
  expect((await upload(form, batch)).status).toBe(413);
  expect((await archive.task(id)).files).toEqual([]);
  expect(await temporaryFiles()).toEqual([]);
});

test('users of another clinic cannot send files', async () => {
  const id = await begin();
  const form = batchOf(id, [['IM1', 'one']]);
  const otherDoctorId = archive.clinics.otherDoctorId;
  expect((await archive.call(batch, { method: 'POST', body: form, as: otherDoctorId })).status).toBe(404);
  expect((await archive.task(id)).files).toEqual([]);
});

test.each([
  ['DISK/A/IM1', 'DISK/A/IM1'],
  ['/etc/passwd', 'etc/passwd'],
  ['C:\\DISK\\IM1', 'DISK/IM1'],
  ['./a//b/./IM1', 'a/b/IM1'],
  ['a\u0000\n/I\u0007M1', 'a/IM1'],
])('the path %j is stored as %j', (given, stored) => {
  expect(safePath(given, 5)).toBe(stored);
});

test('a form is parsed equally for any chunking, and text like its delimiter in a file belongs to the file', async () => {
  const file = '\r\n--parte\r\n--partes\n\r\n-\r\r\n--part';
  const text = `preamble\r\n--parted\r\n${part('id')}seven\r\n--parted\r\nContent-Type: x/y\r\n${part('file', 'a%22b.dcm')}${file}\r\n--parted--\r\nafter`;
  for (let size = 1; size < 70; size++) {
    const chunks = async function* () {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
    };
    const parts: unknown[] = [];
    for await (const { name, fileName, body } of readParts(chunks(), 'parted'))
      parts.push([name, fileName, await textOf(body)]);
    expect(parts).toEqual([
      ['id', null, 'seven'],
      ['file', 'a"b.dcm', file],
    ]);
  }
});

test('a truncated form is rejected', async () => {
  const chunks = async function* () {
    yield Buffer.from(`--parted\r\n${part('file', 'a.dcm')}half of`);
  };
  const read = async () => {
    for await (const { body } of readParts(chunks(), 'parted')) await textOf(body);
  };
  await expect(read()).rejects.toMatchObject({ code: 'invalid-request' });
});
