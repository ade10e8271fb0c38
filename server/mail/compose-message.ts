import type { SendMailOptions } from 'nodemailer';
import type { EmailMessage } from './email-message.ts';

/** Returns the message options for nodemailer. No field may reference a file or URL. */
export const composeMessage = (message: EmailMessage, from: string): SendMailOptions => ({
  from,
  to: message.to,
  subject: message.subject,
  text: message.text,
  html: message.html,
  // RFC 3834 section 5: suppresses automatic replies.
  headers: {
    'Content-Language': message.language,
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
  },
  disableFileAccess: true,
  disableUrlAccess: true,
});
