import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import type { FaultInjection } from './faults.ts';
import { azureClientId, azureTenants, type Kind, kinds, ownClient, sithsClient } from './kinds.ts';
import { loginPage } from './login-page.ts';
import { openKind, type RunningKind } from './provider.ts';
import { testUsers } from './test-users.ts';

export interface OpenIdStandIn {
  readonly url: string;
  /** Environment of the archive for these providers. An administrator saves client and tenant of Azure AD: see `azure`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly azure: { readonly clientId: string; readonly tenantId: string };
  close(): Promise<void>;
}

interface Options {
  /** 0: any free port. */
  readonly port?: number;
  /** Public address of the archive, when it is not local. */
  readonly archiveUrl?: string;
  /** Public key with which the archive authenticates to SITHS (private_key_jwt), instead of a secret. */
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
      testUsers.filter(kind.knows),
      String(params.ui_locales ?? ''),
    );
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    return;
  }
  const form = new URLSearchParams(await bodyOf(request));
  const user = testUsers.find(({ id }) => id === form.get('user'));
  const result =
    form.get('go') === 'no' || !user
      ? { error: 'access_denied', error_description: 'The user cancelled' }
      : { login: { accountId: user.id, remember: false, ...kind.proofOf(form.get('strong') === '1') } };
  await provider.interactionFinished(request, response, result);
};

/** `POST /test/<path of a provider>` with `{faults}` or `{rotate: true}`, from tests. */
const instruct = async (running: RunningKind, request: IncomingMessage): Promise<void> => {
  const command = JSON.parse((await bodyOf(request)) || '{}') as { faults?: FaultInjection; rotate?: boolean };
  if (command.faults) running.setFaults(command.faults);
  if (command.rotate) await running.rotate();
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
    const target = request.url ?? '/';
    const { pathname } = new URL(target, url);
    const controlled = pathname.startsWith('/test/') ? serving(pathname.slice('/test'.length)) : undefined;
    if (controlled && request.method === 'POST') {
      await instruct(controlled, request);
      response.writeHead(204).end();
      return;
    }
    const running = serving(pathname);
    if (!running) {
      // Microsoft's response for an unknown directory.
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
    Object.assign(request, { originalUrl: target, url: target.slice(running.kind.path.length) || '/' });
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
