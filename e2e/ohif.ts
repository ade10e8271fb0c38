import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { freePort } from '../tests/free-port.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The settings of docs/dicomweb.md. */
const settingsOf = (archive: string, clinicId: string) => ({
  extensions: [],
  modes: [],
  showStudyList: true,
  maxNumberOfWebWorkers: 2,
  defaultDataSourceName: 'dicomweb',
  dataSources: [
    {
      namespace: '@ohif/extension-default.dataSourcesModule.dicomweb',
      sourceName: 'dicomweb',
      configuration: {
        friendlyName: 'Dentarium',
        qidoRoot: `${archive}/dicomweb/${clinicId}`,
        wadoRoot: `${archive}/dicomweb/${clinicId}`,
        imageRendering: 'wadors',
        thumbnailRendering: 'thumbnail',
        thumbnailRequestStrategy: 'fetch',
        omitQuotationForMultipartRequest: true,
        singlepart: 'bulkdata,video',
      },
    },
  ],
  oidc: [
    {
      authority: archive,
      client_id: 'ohif',
      redirect_uri: '/callback',
      response_type: 'code',
      scope: 'openid profile offline_access dicomweb.read',
      post_logout_redirect_uri: '/',
      automaticSilentRenew: true,
    },
  ],
});

/** Serves OHIF from the folder `dist` of the npm package @ohif/app. Call `connect` when the archive has its address. */
export const serveOhif = async (folder: string) => {
  const port = await freePort();
  let settings = '';
  const server = createServer(async ({ url = '/' }, reply) => {
    const name = new URL(url, 'http://localhost').pathname;
    const file = path.join(folder, path.normalize(name));
    const isFile = path.extname(name) !== '';
    const shown = isFile ? file : path.join(folder, 'index.html');
    const content = name === '/app-config.js' ? settings : await readFile(shown).catch(() => null);
    reply.statusCode = content === null ? 404 : 200;
    reply.setHeader('content-type', types[path.extname(shown)] ?? 'application/octet-stream');
    reply.end(content ?? '');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${port}`,
    connect: (archive: string, clinicId: string) => {
      settings = `window.config = ${JSON.stringify(settingsOf(archive, clinicId))};`;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
