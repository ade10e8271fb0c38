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

/** Returns recipient and purpose as an access log entry has them; null without either. */
export const recipientDetail = ({
  recipient,
  purpose,
}: {
  readonly recipient?: string | null | undefined;
  readonly purpose?: string | null | undefined;
}): string | null => [recipient, purpose].filter(Boolean).join(': ') || null;
