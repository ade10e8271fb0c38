import { z } from 'zod';

/**
 * Why a message was not delivered: no (encrypted) connection to the mail server; it rejects the archive's user name and password; it does not
 * know the recipient; it rejects the message for another reason.
 */
export const mailFailure = z.enum(['connection', 'sign-in', 'recipient', 'rejected', 'unknown']);
export type MailFailure = z.infer<typeof mailFailure>;
