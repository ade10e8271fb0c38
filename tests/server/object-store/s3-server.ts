import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import S3rver from 's3rver';
import accounts from 's3rver/lib/models/account.js';
import S3Error from 's3rver/lib/models/error.js';
import { mendMultipart, multipartCall } from './s3-multipart.ts';
import { verify } from './s3-signature.ts';

/** s3rver behind a signature check. Argument: JSON with port, folder, bucket, keys, and parts per list page. */
const { port, folder, bucket, keys, partsPerPage } = JSON.parse(process.argv[2] ?? '{}');

/** Configured as in the documentation for installations. */
const cors = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod>
  <AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>`;

const s3 = new S3rver({
  directory: folder,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket, configs: [cors] }],
});
/** How the server fails now, written by a test: `silent`: no reply; `full`: writes are rejected; `flip`: received bytes differ;
 * `stall`: objects end in the middle without an end of the connection. */
const mode = () => {
  try {
    return readFileSync(path.join(folder, 'mode'), 'utf8');
  } catch {
    return '';
  }
};
mendMultipart(s3, () => mode() === 'flip');
accounts.registry.set(keys.accessKeyId, accounts.registry.get('S3RVER'));
await s3.configureBuckets();
const answer = s3.callback();

const sendError = (response: ServerResponse, error: S3Error, origin: string | undefined) => {
  const allowed = origin === undefined ? {} : { 'access-control-allow-origin': origin };
  response.writeHead(error.status, { 'content-type': 'application/xml', ...allowed }).end(error.toXML());
};

const server = createServer(async (request, response) => {
  try {
    if (mode() === 'silent') return;
    if (mode() === 'stall' && request.method === 'GET' && request.url?.includes('/files/')) {
      response.writeHead(200, { 'content-length': 1_000_000 }).write('x'.repeat(1000));
      return;
    }
    if (mode() === 'full' && request.method === 'PUT') {
      request.resume();
      response
        .writeHead(507, { 'content-type': 'application/xml' })
        .end('<Error><Code>InsufficientStorage</Code></Error>');
      return;
    }
    if (request.method === 'OPTIONS') return answer(request, response);
    const verdict = verify(request, keys);
    if (verdict !== 'good') throw new S3Error(verdict, verdict);
    const url = new URL(request.url ?? '', 'http://store');
    const reply = await multipartCall(s3, request.method, url, partsPerPage);
    if (!reply) return answer(request, response);
    response.writeHead(reply.status, { 'content-type': 'application/xml' }).end(reply.body);
  } catch (error) {
    request.resume();
    sendError(
      response,
      error instanceof S3Error ? error : new S3Error('InternalError', String(error)),
      request.headers.origin,
    );
  }
});
server.listen(port, '127.0.0.1', () => console.log('ready'));

// Ends when the parent process is gone.
process.stdin.resume().on('end', () => process.exit());
