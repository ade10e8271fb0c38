import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { fetchPublished } from '../published.ts';

const brotli = promisify(brotliCompress);
const small = (bytes: Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });

const published = {
  name: '@ohif/app',
  version: '3.12.10',
  sha1: '3ab824dd080b3765e7b0b7f7c33b22c6d826047f',
  folder: 'ohif-3.12.10',
} as const;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
const shrinks = /\.(html|js|css|json|svg|wasm)$/;

export interface ListedStudy {
  readonly patientName: string;
  readonly patientId: string;
  /** `YYYYMMDD` */
  readonly date: string;
  readonly description: string;
}

/** A study in the reply of a DICOMweb search (DICOM PS3.18 section 10.6). */
const studyJson = ({ patientName, patientId, date, description }: ListedStudy, index: number) => ({
  '00080005': { vr: 'CS', Value: ['ISO_IR 192'] },
  '00080020': { vr: 'DA', Value: [date] },
  '00080030': { vr: 'TM', Value: ['101500'] },
  '00080050': { vr: 'SH', Value: [String(1_000 + index)] },
  '00080061': { vr: 'CS', Value: ['IO'] },
  '00081030': { vr: 'LO', Value: [description] },
  '00100010': { vr: 'PN', Value: [{ Alphabetic: patientName }] },
  '00100020': { vr: 'LO', Value: [patientId] },
  '0020000D': { vr: 'UI', Value: [`2.25.${10_000 + index}`] },
  '00201206': { vr: 'IS', Value: [1] },
  '00201208': { vr: 'IS', Value: [4] },
});

/** Its own settings, except that the studies come from here. */
const ownSource = `
window.config.defaultDataSourceName = 'bench';
window.config.dataSources = [{
  namespace: '@ohif/extension-default.dataSourcesModule.dicomweb',
  sourceName: 'bench',
  configuration: {
    friendlyName: 'bench', name: 'bench', wadoUriRoot: '/dicomweb', qidoRoot: '/dicomweb', wadoRoot: '/dicomweb',
    qidoSupportsIncludeField: false, imageRendering: 'wadors', thumbnailRendering: 'wadors', enableStudyLazyLoad: true,
    supportsFuzzyMatching: false, supportsWildcard: true, omitQuotationForMultipartRequest: true,
  },
}];
`;

/** OHIF with these studies, served like our archive: compressed, hashed files cached for ever. */
export const serveOhif = async (studies: readonly ListedStudy[]) => {
  const folder = path.join(await fetchPublished(published), 'dist');
  const files = new Map<string, Buffer>();
  const inCache = (name: string) => path.join(folder, '../brotli', `${name.replaceAll('/', '+')}.br`);
  /** Compresses with the highest level, once, like our build. */
  const compressed = async (name: string): Promise<Buffer> => {
    const bytes = await readFile(path.join(folder, name));
    if (name === '/app-config.js') return small(Buffer.concat([bytes, Buffer.from(ownSource)]));
    if (!shrinks.test(name)) return bytes;
    if (!existsSync(inCache(name))) {
      await mkdir(path.dirname(inCache(name)), { recursive: true });
      await writeFile(`${inCache(name)}.new`, await small(bytes));
      await rename(`${inCache(name)}.new`, inCache(name));
    }
    return readFile(inCache(name));
  };
  const served = async (name: string): Promise<Buffer> => {
    const bytes = files.get(name) ?? (await compressed(name));
    files.set(name, bytes);
    return bytes;
  };
  const list = Buffer.from(JSON.stringify(studies.map(studyJson)));
  const server = createServer(async (request, response) => {
    const place = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (place.startsWith('/dicomweb/')) {
      const body = place === '/dicomweb/studies' ? list : '[]';
      response.writeHead(200, { 'content-type': 'application/dicom+json' }).end(body);
      return;
    }
    const name = path.posix.normalize(place === '/' ? '/index.html' : place);
    if (!files.has(name) && !existsSync(path.join(folder, name))) {
      response.writeHead(404).end();
      return;
    }
    const bytes = await served(name);
    const hashed = /\.[0-9a-f]{20}\./.test(name);
    response.writeHead(200, {
      'content-type': types[path.extname(name)] ?? 'application/octet-stream',
      'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(shrinks.test(name) && { 'content-encoding': 'br' }),
    });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('OHIF is not served');
  return {
    name: `OHIF ${published.version}`,
    url: `http://localhost:${address.port}`,
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  };
};
