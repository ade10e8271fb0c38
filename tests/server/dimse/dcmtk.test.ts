import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readDicomFile } from '../../../dicom/file.ts';
import { tags } from '../../../dicom/tags.ts';
import { rejections } from '../../../server/dimse/pdu/pdu.ts';
import { verificationSopClass } from '../../../server/dimse/provider/supported-syntaxes.ts';
import { openAssociation } from '../../../server/dimse/user/open-association.ts';
import { openObject } from '../../../server/dimse/user/open-object.ts';
import { createRequests, type SentObject } from '../../../server/dimse/user/requests.ts';
import { corpusFiles, corpusFolder, corpusIsThere } from '../../dicom/corpus.ts';
import { freePort } from '../../free-port.ts';
import { contextsFor, explicitLittleEndian, inPieces, openTo, startArchive, temporaryFolder } from './peers.ts';

const run = promisify(execFile);
const isInstalled = existsSync('/usr/bin/storescu');
const mostBytes = 4_000_000;

interface Sendable {
  readonly file: string;
  readonly object: SentObject;
  /** The data set names the object too; DCMTK sends no other. */
  readonly isNamed: boolean;
}

/** Files with complete meta information, which can be sent as they are. */
const sendable: Sendable[] = [];

const namesItself = (bytes: Buffer, { sopInstanceUid, sopClassUid }: SentObject): boolean => {
  try {
    const { dataSet } = readDicomFile(bytes);
    return dataSet.code(tags.sopInstanceUid) === sopInstanceUid && dataSet.code(tags.sopClassUid) === sopClassUid;
  } catch {
    return false;
  }
};

beforeAll(async () => {
  for (const name of corpusFiles()) {
    const file = path.join(corpusFolder, name);
    const object = await openObject(file).catch(() => null);
    const bytes = await readFile(file);
    if (object && bytes.length < mostBytes) sendable.push({ file, object, isNamed: namesItself(bytes, object) });
  }
});

/** Sound files without compression, which DCMTK sends without options. */
const isPlain = ({ file, object, isNamed }: Sendable) =>
  isNamed && !file.includes('bad-input') && /^1\.2\.840\.10008\.1\.2(\.1|\.2)?$/.test(object.transferSyntaxUid);
const dataSetOf = async (object: SentObject): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of object.dataSet) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe.skipIf(!isInstalled)('DCMTK as the user of the archive', () => {
  it('verifies the connection, aborts, and is rejected', async () => {
    const archive = await startArchive({
      admit: async ({ calledAeTitle }) =>
        calledAeTitle === 'ARCHIVE'
          ? {
              syntaxesOf: () => ['1.2.840.10008.1.2'],
              services: { 48: (await import('../../../server/dimse/provider/services.ts')).echoService },
            }
          : rejections.calledAeTitle,
    });
    const echo = (...more: readonly string[]) => run('echoscu', [...more, '127.0.0.1', String(archive.port)]);
    await echo('-aec', 'ARCHIVE', '--repeat', '3');
    await echo('-aec', 'ARCHIVE', '--abort');
    await expect(echo('-aec', 'OTHER')).rejects.toThrow('Called AE Title Not Recognized');
    await expect.poll(() => archive.reports.map(({ end }) => end)).toEqual(['released', 'aborted-by-peer', 'rejected']);
  });

  it.skipIf(!corpusIsThere).each([
    ['-pdu', '16384'],
    ['-pdu', '131072'],
    ['-pdu', '4096'],
  ])('stores plain files of the corpus with the same pixels (%s %s)', async (...options) => {
    const archive = await startArchive();
    const plain = sendable.filter(isPlain).slice(0, options[1] === '4096' ? 8 : 40);
    expect(plain.length).toBeGreaterThan(5);
    const files = plain.map(({ file }) => file);
    await run('storescu', ['-R', '-aec', 'ARCHIVE', ...options, '127.0.0.1', String(archive.port), ...files]);
    expect(archive.stored.length).toBe(plain.length);
    for (const [index, { file }] of plain.entries()) {
      const [sent, stored] = [await readFile(file), archive.stored[index]?.bytes ?? Buffer.alloc(0)].map(
        (bytes) => readDicomFile(bytes).dataSet,
      );
      expect(stored?.code(tags.sopInstanceUid), file).toBe(sent?.code(tags.sopInstanceUid));
      expect(stored?.bytes(tags.pixelData)?.length, file).toBe(sent?.bytes(tags.pixelData)?.length);
    }
    await expect.poll(() => archive.reports.at(-1)?.end).toBe('released');
  });

  it('verifies the connection by TLS', async () => {
    const folder = await temporaryFolder();
    const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    await run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      '2',
      ...names,
    ]);
    const archive = await startArchive({ tls: { key: await readFile(key), cert: await readFile(certificate) } });
    await run('echoscu', ['+tla', '+cf', certificate, '-aec', 'ARCHIVE', 'localhost', String(archive.port)]);
    const node = {
      host: 'localhost',
      port: archive.port,
      aeTitle: 'ARCHIVE',
      tls: { ca: await readFile(certificate) },
    };
    const association = await openAssociation(node, 'UNIT', contextsFor([verificationSopClass, explicitLittleEndian]));
    expect((await createRequests(association).echo(verificationSopClass)).status).toBe(0);
    await association.release();
    await expect.poll(() => archive.reports.map(({ end }) => end)).toEqual(['released', 'released']);
    const plain = run('echoscu', ['-to', '5', '-ta', '5', '-aec', 'ARCHIVE', 'localhost', String(archive.port)]);
    await expect(plain).rejects.toThrow();
  });
});

describe.skipIf(!corpusIsThere)('files of the corpus', () => {
  it('arrive byte for byte in every transfer syntax', async () => {
    const archive = await startArchive();
    const syntaxes = new Set<string>();
    expect(sendable.length).toBeGreaterThan(50);
    for (const { file, isNamed } of sendable) {
      const object = await openObject(file);
      const dataSet = await dataSetOf(object);
      const association = await openTo(archive, contextsFor([object.sopClassUid, object.transferSyntaxUid]));
      const before = archive.stored.length;
      if (association.contexts.size > 0) {
        const { status } = await createRequests(association).store({ ...object, dataSet: inPieces(dataSet) });
        const isStored = archive.stored.length > before;
        expect(status === 0, file).toBe(isStored);
        if (isNamed) expect(status, file).toBe(0);
        if (isStored) {
          expect(archive.stored.pop()?.bytes.subarray(-dataSet.length).equals(dataSet), file).toBe(true);
          syntaxes.add(object.transferSyntaxUid);
        }
      }
      await association.release();
    }
    expect(syntaxes.size).toBeGreaterThan(10);
  });
});

describe.skipIf(!isInstalled || !corpusIsThere)('DCMTK as the archive', () => {
  it('receives what is sent byte for byte', async () => {
    const folder = await temporaryFolder();
    const port = await freePort();
    const server = spawn('storescp', ['+B', '+xa', '-aet', 'ARCHIVE', '-od', folder, String(port)], {
      stdio: 'ignore',
    });
    onTestFinished(() => {
      server.kill();
    });
    const plain = sendable.filter(isPlain).slice(0, 10);
    const open = () => openTo({ port }, contextsFor([verificationSopClass, explicitLittleEndian]));
    await expect.poll(async () => (await open().catch(() => null))?.release().then(() => true)).toBe(true);
    const sent = new Set<string>();
    for (const { file } of plain) {
      const object = await openObject(file);
      const dataSet = await dataSetOf(object);
      const association = await openTo({ port }, contextsFor([object.sopClassUid, object.transferSyntaxUid]));
      expect(await createRequests(association).store({ ...object, dataSet: inPieces(dataSet) }), file).toMatchObject({
        status: 0,
      });
      await association.release();
      sent.add(dataSet.toString('latin1'));
    }
    const received = await Promise.all(
      (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'latin1')),
    );
    expect([...sent].filter((bytes) => !received.some((file) => file.endsWith(bytes))).length).toBe(0);
  });
});
