/** The parts of oidc-provider 9 that this server uses; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface AdapterPayload extends Record<string, unknown> {
    jti?: string;
    grantId?: string;
    uid?: string;
    userCode?: string;
  }

  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<AdapterPayload | undefined>;
    findByUid(uid: string): Promise<AdapterPayload | undefined>;
    findByUserCode(code: string): Promise<AdapterPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface OidcAccount {
    accountId: string;
    claims(use: string, scope: string, claims: object, rejected: string[]): Promise<Record<string, unknown>>;
  }

  export interface Client {
    clientId: string;
    clientName?: string;
    scope?: string;
    redirectUris: readonly string[];
    grantTypeAllowed(type: string): boolean;
    compareClientSecret(secret: string): boolean | Promise<boolean>;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface TokenFields {
    client: Client;
    accountId: string;
    grantId: string;
    gty: string;
    scope: string;
    authTime: number;
    amr: string[];
    resource?: string;
    rotations?: number;
  }

  export interface AccessToken {
    resourceServer: object;
    readonly expiration: number;
    readonly tokenType: string;
    save(): Promise<string>;
  }

  export interface ClientCredentials {
    resourceServer: object;
    readonly expiration: number;
    readonly tokenType: string;
    save(): Promise<string>;
  }

  export interface IdToken {
    scope: string;
    issue(options: { use: 'idtoken' }): Promise<string>;
  }

  export interface Context {
    readonly req: IncomingMessage;
    readonly path: string;
    /** Host and port of the request. */
    readonly host: string;
    readonly res: ServerResponse;
    status: number;
    body: unknown;
    set(name: string, value: string): void;
    remove(name: string): void;
    redirect(address: string): void;
    accepts(...types: string[]): string | false;
    readonly oidc: {
      readonly provider: Provider;
      readonly client: Client;
      readonly session: { readonly accountId: string };
      /** Result passed to `interactionResult`, when the request resumes. */
      readonly result?: { readonly login?: object; readonly stamp?: unknown; readonly session?: unknown };
      readonly params: Readonly<Record<string, string | undefined>>;
      readonly route: string;
      readonly entities: { readonly RefreshToken?: { readonly clientId: string; readonly accountId: string } };
      entity(name: string, value: unknown): void;
    };
  }

  export interface InteractionDetails {
    readonly uid: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly result?: object;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    readonly Grant: new (fields: {
      clientId: string;
      accountId: string;
    }) => Grant;
    readonly AccessToken: new (
      fields: TokenFields,
    ) => AccessToken;
    readonly RefreshToken: new (
      fields: TokenFields,
    ) => { save(): Promise<string> };
    readonly ClientCredentials: new (
      fields: Pick<TokenFields, 'client' | 'scope'>,
    ) => ClientCredentials;
    readonly IdToken: new (
      claims: Record<string, unknown>,
      options: { ctx: Context },
    ) => IdToken;
    readonly ResourceServer: new (
      identifier: string,
      info: object,
    ) => object;
    registerGrantType(name: string, handler: (ctx: Context) => Promise<void>, parameters: readonly string[]): void;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void;
    on(event: 'server_error', listener: (ctx: Context, error: Error) => void): void;
    readonly Client: { find(id: string): Promise<Client | undefined>; readonly prototype: Client };
    /** The request that is handled. */
    static readonly ctx: Context | undefined;
    /** @throws SessionNotFound */
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<string>;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }

  export namespace errors {
    class InvalidClient extends Error {
      constructor(description: string);
    }
    class InvalidGrant extends Error {
      constructor(detail: string);
    }
    class InvalidRequest extends Error {
      constructor(description: string);
    }
    class InvalidScope extends Error {
      constructor(description: string);
    }
    class InvalidTarget extends Error {}
  }

  export namespace interactionPolicy {
    function base(): { remove(prompt: string): void };
  }
}
