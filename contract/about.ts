import { z } from 'zod';
import { route, signedIn } from './route.ts';
import { offeredMethod } from './sign-in.ts';

export const about = route({
  method: 'GET',
  path: '/resource/about',
  access: signedIn,
  reply: z.object({ adminVersion: z.string(), gitCommitNumber: z.string(), dataLibraryVersion: z.string() }),
});

/** What the sign-in page needs before anyone is signed in. */
export const welcome = route({
  method: 'GET',
  path: '/api/Configuration/welcome',
  access: 'anyone',
  reply: z.object({
    /** Sign-in names of the demo clinic; empty outside it. */
    demoAccounts: z.array(
      z.object({ email: z.string(), password: z.string(), role: z.string(), clinic: z.string().nullable() }),
    ),
    /** An empty installation waits for its first administrator. */
    awaitsFirstAdministrator: z.boolean(),
    /** In the order in which they are shown. */
    methods: z.array(offeredMethod),
    /** Address of the page that shows the demo's letters; null where letters are really sent, or nowhere. */
    outbox: z.string().nullable(),
  }),
});
