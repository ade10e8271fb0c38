import { z } from 'zod';
import { ServiceError } from './failure.ts';
import { query } from './query.ts';
import { refusalOf } from './refusal.ts';
import { send } from './send.ts';

const licences = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** As SPDX calls it; empty where the package does not say. */
      licence: z.string(),
      /** Which of `texts` it is; null without one. */
      text: z.number().int().nullable(),
    }),
  ),
  texts: z.array(z.string()),
});
export type Licences = z.infer<typeof licences>;

const where = 'GET /licences.json';

/** The licences of all packages that the product is made of: a file of the build, so that there is none while one develops. */
export const licencesOfBuild = (origin = window.location.origin) =>
  query<Licences>(['licences'], async (signal) => {
    const { status, body } = await send(`${origin}/licences.json`, { method: 'GET', signal });
    if (status >= 400) throw new ServiceError(refusalOf(status, body, where));
    const read = licences.safeParse(body);
    if (!read.success) throw new ServiceError({ kind: 'drift', where });
    return read.data;
  });
