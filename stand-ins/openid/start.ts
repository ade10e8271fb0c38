import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import type { Faults } from './faults.ts';
import { azureClientId, azureTenants, type Kind, kinds, ownClient, sithsClient } from './kinds.ts';
import { loginPage } from './login-page.ts';
import { testPeople } from './people.ts';
import { openKind, type RunningKind } from './provider.ts';

export interface OpenIdStandIn {
  readonly url: string;
  /** What the archive must be told to use them. Client and tenant of Azure AD are saved by an administrator: see `azure`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly azure: { readonly clientId: string; readonly tenantId: string };
  close(): Promise<void>;
}

interface Options {
  /** 0: any that is free. */
  readonly port?: number;
  /** Where browsers reach the archive, when that is not an address of this machine. */
  readonly archiveUrl?: string;
  /** Shown half of the key with which the archive proves itself to SITHS (private_key_jwt), instead of a secret. */
  readonly sithsKey?: JWK;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

const redirectUris = (path: string, archiveUrl: string | undefined): string[] => {
  const method = path.startsWith('/azure') ? 'aad' : path.slice(1);
  const bases = ['http://127.0.0.1', 'http://localhost', ...(archiveUrl ? [archiveUrl.replace(/\/$/, '')] : [])];
  return bases.map((base) => `${base}/connect/upstream/${method}`);
};

const keyed = (kind: Kind, key: JWK | undefined): Kind => {
  if (!key || kind.path !== '/siths') return kind;
  const { client_secret: _, ...client } = kind.client;
  return { ...kind, client: { ...client, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] } } };
};

const logIn = async (running: RunningKind, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const provider = running.provider();
  const { kind } = running;
  const { uid, params } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    const page = loginPage(
      kind.title,
      `${kind.path}/login/${uid}`,
      testPeople.filter(kind.knows),
      String(params.ui_locales ?? ''),
    );
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    return;
  }
  const form = new URLSearchParams(await bodyOf(request));
  const person = testPeople.find(({ id }) => id === form.get('person'));
  const result =
    form.get('go') === 'no' || !person
      ? { error: 'access_denied', error_description: 'The person cancelled' }
      : { login: { accountId: person.id, remember: false, ...kind.proofOf(form.get('strong') === '1') } };
  await provider.interactionFinished(request, response, result);
};

/** `POST /test/<path of a provider>` with `{faults}` or `{rotate: true}`, from tests. */
const instruct = async (running: RunningKind, request: IncomingMessage): Promise<void> => {
  const told = JSON.parse((await bodyOf(request)) || '{}') as { faults?: Faults; rotate?: boolean };
  if (told.faults) running.setFaults(told.faults);
  if (told.rotate) await running.rotate();
};

/** "SITHS (TEST)", "Azure AD (TEST)" with two directories, and a clinic's own provider, on one port of this machine. */
export const start = async ({ port = 0, archiveUrl, sithsKey }: Options = {}): Promise<OpenIdStandIn> => {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all = await Promise.all(
    kinds.map((kind) => openKind(keyed(kind, sithsKey), url, redirectUris(kind.path, archiveUrl))),
  );
  const serving = (path: string) => all.find(({ kind }) => path === kind.path || path.startsWith(`${kind.path}/`));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = request.url ?? '/';
    const { pathname } = new URL(asked, url);
    const toldTo = pathname.startsWith('/test/') ? serving(pathname.slice('/test'.length)) : undefined;
    if (toldTo && request.method === 'POST') {
      await instruct(toldTo, request);
      response.writeHead(204).end();
      return;
    }
    const running = serving(pathname);
    if (!running) {
      // As Microsoft answers for a directory that there is not.
      response.writeHead(pathname.startsWith('/azure/') ? 400 : 404, { 'content-type': 'application/json' });
      response.end('{"error":"invalid_tenant"}');
      return;
    }
    if (running.faults.down) {
      response.writeHead(503).end();
      return;
    }
    if (pathname.startsWith(`${running.kind.path}/login/`)) {
      await logIn(running, request, response);
      return;
    }
    Object.assign(request, { originalUrl: asked, url: asked.slice(running.kind.path.length) || '/' });
    running.provider().callback()(request, response);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(error instanceof Error ? error.name : 'error');
    });
  });
  return {
    url,
    environment: {
      DENTARIUM_SITHS_ISSUER: `${url}/siths`,
      DENTARIUM_SITHS_CLIENT_ID: sithsClient.id,
      DENTARIUM_SITHS_CLIENT_SECRET: sithsClient.secret,
      DENTARIUM_AZURE_AUTHORITY: `${url}/azure`,
      DENTARIUM_OPENID_ISSUER: `${url}/openid`,
      DENTARIUM_OPENID_CLIENT_ID: ownClient.id,
      DENTARIUM_OPENID_CLIENT_SECRET: ownClient.secret,
      DENTARIUM_OPENID_LABEL: 'Klinikens inloggning',
    },
    azure: { clientId: azureClientId, tenantId: azureTenants.own },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
