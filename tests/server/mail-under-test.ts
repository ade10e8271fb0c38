import { passwordResetEmail } from '../../server/identity/password-reset-email.ts';
import type { EmailMessage } from '../../server/mail/email-message.ts';

export const link = 'https://klinik.example/authorization/newpassword#id=1&SecurityStamp=abc_-%C3%A5';

export const emailTo = (email: string, language: 'sv' | 'en' | 'da' | 'no' = 'sv'): EmailMessage =>
  passwordResetEmail({
    language,
    to: { firstName: 'Åsa', lastName: 'Öström <x>', email },
    link,
    goodForMinutes: 60,
    isInvitation: false,
  });

export const from = 'Dentarium <dentarium@klinik.example>';

export const smtpSettings = (smtpUrl: string, extra: object = {}) => ({
  smtpUrl,
  from,
  requireTls: false,
  caFile: null,
  ...extra,
});
