import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { isStorageClass } from '../../server/dimse/provider/supported-syntaxes.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { createRequests, NoContext, type SentObject } from '../../server/dimse/user/requests.ts';
import { corpusBytes, corpusFiles, corpusIsThere } from '../dicom/corpus.ts';
import { freePort } from '../free-port.ts';
import { type ChildServer, startChild } from './child-server.ts';
import { addStoringDevice, databaseIn, gatewaySettings, startGatewayProcess } from './gateway-process-under-test.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-corpus-kills-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface CorpusObject extends Omit<SentObject, 'dataSet'> {
  readonly dataSet: Buffer;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The bytes behind the file meta information, whose first element has its length; null without one. */
const dataSetIn = (file: Buffer): Buffer | null =>
  file.subarray(128, 132).toString('latin1') === 'DICM' && file.readUInt32LE(132) === 0x0000_0002
    ? file.subarray(144 + file.readUInt32LE(140))
    : null;

/** The objects of the corpus that have all that C-STORE names. */
const objects = (): CorpusObject[] =>
  corpusFiles()
    .filter((name) => !/^(bad-input|dicomdir|dental-raster)\//.test(name))
    .flatMap((name) => {
      const bytes = Buffer.from(corpusBytes(name));
      const dataSet = dataSetIn(bytes);
      if (!dataSet) return [];
      const { dataSet: read, transferSyntaxUid, transferSyntaxGuessed } = readDicomFile(bytes);
      const [sopClassUid, sopInstanceUid] = [read.code(0x00080016), read.code(0x00080018)];
      if (transferSyntaxGuessed || !sopClassUid || !sopInstanceUid || !isStorageClass(sopClassUid)) return [];
      return [{ sopClassUid, sopInstanceUid, transferSyntaxUid, dataSet }];
    });

const keyOf = ({ sopInstanceUid, dataSet }: CorpusObject): string => `${sopInstanceUid} ${sha256(dataSet)}`;

const fileOf = (hash: string): Buffer => readFileSync(path.join(folder, 'files', hash.slice(0, 2), hash));

describe.skipIf(!corpusIsThere)('the corpus, sent while servers are killed', () => {
  it('is stored once and byte for byte in what was acknowledged', async () => {
    const port = await freePort();
    const settings = gatewaySettings(port);
    let server: ChildServer = await startChild(folder, [], settings);
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    await addStoringDevice(folder);
    let gateway = await startGatewayProcess(folder, settings);

    const waiting = new Map(objects().map((object) => [keyOf(object), object]));
    const acknowledged = new Set<string>();
    const notAccepted: string[] = [];
    /** Sends `count` objects that wait, each in an association of its own as some devices do, until one fails; `begun` runs while each is sent. */
    const send = async (count: number, begun: (index: number) => Promise<void>): Promise<void> => {
      for (const [index, [key, object]] of [...waiting].slice(0, count).entries()) {
        const { sopClassUid, transferSyntaxUid } = object;
        const contexts = [{ id: 1, abstractSyntax: sopClassUid, transferSyntaxes: [transferSyntaxUid] }];
        const association = await openAssociation({ host: '127.0.0.1', port, aeTitle: 'ARCHIVE' }, 'UNIT', contexts);
        try {
          const stored = createRequests(association).store({ ...object, dataSet: Readable.from([object.dataSet]) });
          const [{ status }] = await Promise.all([stored, begun(index)]);
          if (status !== 0) throw new Error(`${key}: ${status.toString(16)}`);
          acknowledged.add(key);
          waiting.delete(key);
          await association.release();
        } catch (error) {
          association.abort();
          if (!(error instanceof NoContext)) throw error;
          notAccepted.push(`${sopClassUid} ${transferSyntaxUid}`);
          waiting.delete(key);
        }
      }
    };
    const total = waiting.size;
    expect(total).toBeGreaterThan(50);
    const kills = [() => gateway.stop('SIGKILL'), () => server.stop('SIGKILL')];
    for (const [index, kill] of [...kills, ...kills].entries()) {
      const killAt = 5 + index * 3;
      await send(killAt + 10, async (at) => {
        if (at === killAt) await kill();
      }).catch(() => undefined);
      await server.stop('SIGKILL');
      await gateway.stop('SIGKILL');
      server = await startChild(folder, [], settings);
      gateway = await startGatewayProcess(folder, settings);
    }
    expect(waiting.size).toBeGreaterThan(0);
    await send(total, async () => undefined);

    const { db, close } = databaseIn(folder);
    const rows = await db.selectFrom('import_file').select(['file_name', 'sha256']).execute();
    await close();
    const stored = rows.map(({ file_name, sha256: hash }) => {
      const bytes = dataSetIn(fileOf(hash ?? ''));
      return `${file_name.replace(/\.dcm$/, '')} ${bytes && sha256(bytes)}`;
    });
    expect(notAccepted).toEqual([]);
    expect(acknowledged.size).toBe(total);
    expect(stored.toSorted()).toEqual([...acknowledged].toSorted());
  });
});
