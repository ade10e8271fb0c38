import { z } from 'zod';

/** Characters of each field. */
export const recipientLength = 200;
const text = z.string().trim().max(recipientLength).optional();

/** For whom images leave the archive and what for; entered in the access log. */
export const recipientFields = { recipient: text, purpose: text };
export interface Recipient {
  readonly recipient?: string | undefined;
  readonly purpose?: string | undefined;
}
