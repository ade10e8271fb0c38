import { z } from 'zod';
import { failureOfResponse } from './error-response.ts';
import { ServiceError } from './failure.ts';
import { query } from './query.ts';
import { send } from './send.ts';

const licences = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      /** SPDX identifier; empty if the package does not declare one. */
      licence: z.string(),
      /** Index in `texts`; null without a text. */
      text: z.number().int().nullable(),
    }),
  ),
  texts: z.array(z.string()),
});
export type Licences = z.infer<typeof licences>;

const where = 'GET /licences.json';

/** Returns the query of the licences of all packages. The file is created by the build and missing in development. */
export const licencesOfBuild = (origin = window.location.origin) =>
  query<Licences>(['licences'], async (signal) => {
    const { status, body } = await send(`${origin}/licences.json`, { method: 'GET', signal });
    if (status >= 400) throw new ServiceError(failureOfResponse(status, body, where));
    const read = licences.safeParse(body);
    if (!read.success) throw new ServiceError({ kind: 'drift', where });
    return read.data;
  });
