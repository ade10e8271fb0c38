import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openid } from '../../contract/sign-in.ts';
import type { Authenticator } from './authenticate.ts';
import { userInfoOf } from './oidc-accounts.ts';
import { withOwnOriginHeaders } from './own-origin-headers.ts';
import type { Providers } from './providers.ts';

const bearer = (request: FastifyRequest): string | undefined => {
  const header = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const body = request.body instanceof URLSearchParams ? request.body.get('access_token') : null;
  return header ?? body ?? undefined;
};

/**
 * Registers `/connect/userinfo` (OpenID Connect Core section 5.3), GET and POST. The provider's own endpoint rejects tokens with an audience, which
 * all of ours have.
 */
export const userInfoRoutes = async (server: FastifyInstance, authenticator: Authenticator): Promise<void> => {
  await server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.route({
      method: ['GET', 'POST'],
      url: openid.userInfoPath,
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store');
        return userInfoOf(await authenticator.accountOf(bearer(request)));
      },
    });
  });
};

/**
 * Passes requests to the provider unparsed: it reads the body itself. `remember` is called first with each of them, so that the address of the
 * client can be found from the raw request.
 */
export const connectRoutes = async (
  server: FastifyInstance,
  providers: Providers,
  publicUrl: string,
  remember: (request: FastifyRequest) => void,
): Promise<void> => {
  const pass = (request: FastifyRequest, reply: FastifyReply): void => {
    remember(request);
    reply.hijack();
    reply.raw.setHeader('x-content-type-options', 'nosniff');
    providers.handle(withOwnOriginHeaders(request, publicUrl), reply.raw);
  };
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const path of [openid.tokenPath, openid.revocationPath])
      scope.route({ method: ['POST', 'OPTIONS'], url: path, handler: pass });
    scope.get(openid.authorizePath, pass);
    scope.get(`${openid.authorizePath}/:uid`, pass);
    scope.get('/.well-known/openid-configuration', pass);
    scope.get('/.well-known/openid-configuration/jwks', pass);
  });
};
