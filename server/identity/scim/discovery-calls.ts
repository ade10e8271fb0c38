import { notFound, type ScimHandlers, type ScimReply } from './scim-call.ts';
import { listOf } from './scim-list.ts';
import { providerConfigOf, resourceTypesOf, schemasOf } from './scim-schemas.ts';

const one = (resources: readonly { readonly id: string }[], id: string | undefined): ScimReply => {
  const body = resources.find((resource) => resource.id === id);
  if (!body) throw notFound();
  return { body };
};

/** The calls by which the service describes itself (RFC 7644 section 4). */
export const discoveryCalls: ScimHandlers = {
  'GET /ServiceProviderConfig': async ({ base }) => ({ body: providerConfigOf(base) }),
  'GET /Schemas': async ({ base }) => ({ body: listOf(schemasOf(base), {}) }),
  'GET /Schemas/:name': async ({ base, name }) => one(schemasOf(base), name),
  'GET /ResourceTypes': async ({ base }) => ({ body: listOf(resourceTypesOf(base), {}) }),
  'GET /ResourceTypes/:name': async ({ base, name }) => one(resourceTypesOf(base), name),
};
