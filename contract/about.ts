import { z } from 'zod';
import { route, signedIn } from './route.ts';
import { offeredMethod } from './sign-in.ts';

export const about = route({
  method: 'GET',
  path: '/resource/about',
  access: signedIn,
  reply: z.object({ adminVersion: z.string(), gitCommitNumber: z.string(), dataLibraryVersion: z.string() }),
});

/** Public information for the sign-in page. */
export const welcome = route({
  method: 'GET',
  path: '/api/Configuration/welcome',
  access: 'anyone',
  reply: z.object({
    /** Sign-in names of the demo clinic; empty outside it. */
    demoAccounts: z.array(
      z.object({ email: z.string(), password: z.string(), role: z.string(), clinic: z.string().nullable() }),
    ),
    /** True for an empty installation without an administrator. */
    awaitsFirstAdministrator: z.boolean(),
    /** In the order in which they are shown. */
    methods: z.array(offeredMethod),
    /** False: the archive sends no e-mail. */
    hasMailServer: z.boolean(),
    /** Address of the page that shows the e-mails of the demo; null when e-mails are really sent, or not at all. */
    outbox: z.string().nullable(),
  }),
});

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
});

/** The contract as an OpenAPI 3.1 document: contract/openapi.json. */
export const openapiDocument = route({
  method: 'GET',
  path: '/openapi.json',
  access: 'anyone',
  reply: z.looseObject({
    openapi: z.string(),
    /** Path, then method in lower case. */
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
  }),
});
export type OpenapiOperation = z.infer<typeof operation>;
export type OpenapiDocument = z.infer<typeof openapiDocument.reply>;
