import type { SendMailOptions } from 'nodemailer';
import type { Letter } from './letter.ts';

/** A letter as nodemailer takes it. Nothing in it may name a file or an address to be read. */
export const composed = (letter: Letter, from: string): SendMailOptions => ({
  from,
  to: letter.to,
  subject: letter.subject,
  text: letter.text,
  html: letter.html,
  // RFC 3834 section 5: nobody's absence notice answers it.
  headers: {
    'Content-Language': letter.language,
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
  },
  disableFileAccess: true,
  disableUrlAccess: true,
});
